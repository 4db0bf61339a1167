/** The agents that a new run may call, as they are at this moment. */
import { AppError } from '#lib/spec/errors'
import { isObject, tryParseJson } from '#lib/spec/json'
import type { RunAgent } from '#lib/spec/run-agents'
import type { AgentStore } from '#lib/spec/store'
import { findAgent } from '../agents/find-agent'
import { type Reached, reachAgents } from '../agents/reach-agents'

/** Throws `unprocessable` for calls that would have no end, or go too deep. */
export function agentsOfRun(
  agents: AgentStore,
  { name, config }: { readonly name: string; readonly config: string },
): readonly RunAgent[] {
  // Few agents call others, and reading the text is slower than searching it.
  if (!config.includes('"agent"')) return []
  const reached = reachAgents({ name, config: entriesOf(config) }, (named) => findAgent(agents, named))
  const [first] = reached.refused
  if (first === undefined) return reached.agents
  throw new AppError('unprocessable', `${name} cannot run. ${first.message}`, {
    path: first.path,
    diagnostics: refusals(reached),
  })
}

function refusals({ refused }: Reached) {
  return refused.map((each) => ({ severity: 'error' as const, ...each }))
}

function entriesOf(config: string): Parameters<typeof reachAgents>[0]['config'] {
  const read = tryParseJson(config)
  // cast: a stored config has been read by its schema
  return isObject(read) ? (read as Parameters<typeof reachAgents>[0]['config']) : {}
}
