/** The agents that an agent's file calls: each is read from the file of its name in the same folder. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { canonical, canonicalForHash } from '#lib/graph/canonical'
import type { FoundAgent } from '#lib/server/agents/reach-agents'
import { sha256 } from '#lib/server/runs/run-config'
import type { NamedAgent } from '#lib/spec/agents-port'
import type { Parts } from '#lib/spec/config'
import { tryParseJson } from '#lib/spec/json'
import { catalogOf, findings } from './agent-file'
import type { Terminal } from './terminal'

/** A file has no versions, so the version that an entry names makes no difference here. */
export function agentsBeside(
  file: string,
  { terminal, parts }: { readonly terminal: Terminal; readonly parts: Parts },
): (named: NamedAgent) => FoundAgent {
  const folder = path.dirname(path.resolve(terminal.folder, file))
  return ({ agent }) => {
    const beside = path.join(folder, `${agent}.json`)
    let text: string
    try {
      text = readFileSync(beside, 'utf8')
    } catch {
      const problem = `There is no file ${agent}.json beside ${path.basename(file)}, so ${agent} cannot be called. Export the agent there.`
      return { code: 'agent_not_found', problem }
    }
    const value = tryParseJson(text)
    const { config, diagnostics } =
      value === undefined ? { config: null, diagnostics: [] } : findings(value, parts)
    if (config === null) {
      const why = diagnostics.find(({ severity }) => severity === 'error')?.message ?? 'It is not valid JSON.'
      return { code: 'agent_unfinished', problem: `${agent}.json is not an agent that can run: ${why}` }
    }
    const { schema } = catalogOf(parts)
    const configHash = sha256(canonicalForHash(config, schema))
    return {
      agent: { id: null, name: agent, version: 'draft', configHash },
      config: canonical(config, schema),
      origins: {},
    }
  }
}
