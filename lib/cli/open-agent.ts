/** Reads an agent's file, and opens the agent with what it needs around it: for the commands that run it. */

import { run } from '#lib/agent/run'
import { start } from '#lib/agent/state/start'
import { portsNow } from '#lib/server/agents/agents-now'
import { type Assembled, assemble } from '#lib/server/agents/assemble'
import type { CheckContext } from '#lib/server/agents/called-agents'
import { reachAgents } from '#lib/server/agents/reach-agents'
import { systemClock } from '#lib/server/clock'
import { createHooks } from '#lib/server/ports/hooks'
import { type FolderKnowledge, openFolders } from '#lib/server/recall/folders'
import { agentsPort } from '#lib/server/runs/child-runs'
import type { Catalog } from '#lib/spec/catalog'
import { type AgentConfig, defaultModel, type Parts } from '#lib/spec/config'
import type { Result } from '#lib/spec/errors'
import { isObject, type JsonObject, type JsonValue } from '#lib/spec/json'
import type { KnowledgePort } from '#lib/spec/recall-port'
import type { RunAgent } from '#lib/spec/run-agents'
import type { ToolPorts } from '#lib/spec/tool'
import { catalogOf, findings, line, readJsonFile } from './agent-file'
import { skillsOf } from './agent-skills'
import { agentsBeside } from './agents-beside'
import { type CliCommand, exit, type Given, listOption, refuse, textOption } from './command'
import { type CliSurroundings, openSurroundings } from './surroundings'
import type { Terminal } from './terminal'
import { type ModelPlace, modelPlace } from './terminal-words'
import { openFiles } from './workspace'

interface AgentFile {
  readonly file: string
  /** Written turns. */
  readonly script: string | undefined
  readonly terminal: Terminal
  readonly parts: Parts
}

/** The config to run, the written turns in place of its model; undefined once it has said what is wrong. */
export async function readAgent({
  file,
  script,
  terminal,
  parts,
}: AgentFile): Promise<JsonObject | undefined> {
  const read = await readJsonFile(file, terminal)
  if (!read.ok) return tell(terminal, read.error)
  let value = read.value
  if (script !== undefined) {
    const turns = await readJsonFile(script, terminal)
    if (!turns.ok) return tell(terminal, turns.error)
    value = withScript(value, turns.value)
  }
  const { config, diagnostics } = findings(value, parts)
  for (const each of diagnostics) {
    const isScript = script !== undefined && each.path?.startsWith('model/') === true
    if (each.severity !== 'info') terminal.err(line(isScript ? script : file, each))
  }
  return config ?? undefined
}

function tell(terminal: Terminal, sentence: string): undefined {
  terminal.err(`${sentence}\n`)
}

/** A script is a list of turns, or an object with a list `turns`. */
function withScript(config: JsonValue, script: JsonValue): JsonValue {
  if (!isObject(config)) return config
  const turns = isObject(script) ? (script.turns ?? script) : script
  // The provider that answers where no model is named is the one that plays written turns.
  return { ...config, model: { provider: defaultModel.provider, name: 'script', turns } }
}

/** An agent with its ports open. */
export interface OpenAgent {
  readonly config: JsonObject
  readonly assembled: Assembled
  readonly ports: ToolPorts
  readonly open: CliSurroundings['models']['open']
  readonly place: ModelPlace
  readonly catalog: Catalog
  /** The agents that it can call, and what is around them. */
  readonly others: OtherAgents
}

export interface OtherAgents extends Omit<CheckContext, 'engine'> {
  /** The ports of one of them, or of the agent itself. */
  portsOf(assembled: Assembled): ToolPorts
}

interface Opening {
  readonly command: CliCommand
  readonly file: string
  readonly config: JsonObject
  /** The options `data`, `endpoint` and `workspace` are read. */
  readonly given: Given
  readonly terminal: Terminal
  readonly parts: Parts
}

/** Calls `use` with the agent, and closes it afterwards. Resolves to the exit code. */
export async function withAgent(
  opening: Opening,
  use: (agent: OpenAgent) => Promise<number>,
): Promise<number> {
  const { command, given, terminal, parts } = opening
  const opened = openSurroundings(given, terminal, parts)
  if (!opened.ok) return refuse(terminal, command, opened.error)
  const around = opened.value
  try {
    const folders = await openKnowledge(given, terminal, around.ports.knowledge)
    if (!folders.ok) return refuse(terminal, command, folders.error)
    try {
      return await withPorts(opening, around, folders.value.port, use)
    } finally {
      folders.value.close()
    }
  } finally {
    around.close()
  }
}

async function withPorts(
  { file, config, given, terminal, parts }: Opening,
  around: CliSurroundings,
  knowledge: KnowledgePort,
  use: (agent: OpenAgent) => Promise<number>,
): Promise<number> {
  const files = openFiles(textOption(given, 'workspace'), terminal)
  try {
    const assembled = await assemble(config, around.models.surroundings)
    if (!assembled.ok) {
      for (const each of assembled.error) terminal.err(line(file, each))
      return exit.badInput
    }
    const { config: read } = assembled.value
    const find = agentsBeside(file, { terminal, parts })
    const { agents, refused, lacking } = reachAgents({ name: read.name, config: read }, find)
    for (const each of refused) terminal.err(line(file, { severity: 'error', ...each }))
    if (refused.length > 0) return exit.badInput
    for (const each of lacking) terminal.err(line(file, { severity: 'warning', ...each }))
    const { skills, problems } = await skillsOf([read, ...configsOf(agents)], {
      file,
      given,
      terminal,
      kept: around.ports.skills,
    })
    for (const each of problems) terminal.err(`${each}\n`)
    for (const each of around.lacksOf(read, skills)) terminal.err(line(file, each))
    const known = new Map(agents.map((each) => [each.key, each]))
    const ports = { ...around.ports, skills, knowledge }
    const here = {
      engine: { start, run },
      clock: systemClock,
      assemble: (given: string | JsonObject) => assemble(given, around.models.surroundings),
    }
    const called = agentsPort({
      ...here,
      agents: () => known,
      folder: [],
      ports: (folder) => ({ ...ports, ...files.within(folder) }),
      hooks: createHooks({ web: around.ports.web, open: around.models.open })(null),
      report: (error) => terminal.err(`${error instanceof Error ? error.stack : String(error)}\n`),
    })
    const shared = { ...ports, ...files.within([]) }
    return await use({
      config,
      assembled: assembled.value,
      ports: { ...shared, agents: called },
      open: around.models.open,
      place: modelPlace(assembled.value.config.model, parts.providers),
      catalog: catalogOf(parts),
      others: {
        find,
        assemble: here.assemble,
        lacksOf: (config) => around.lacksOf(config, skills),
        portsOf: (of) => portsNow({ ...here, find, shared }, of),
      },
    })
  } finally {
    files.tell()
  }
}

/** The configs of the agents that were found, as they lie in their files. */
function configsOf(agents: readonly RunAgent[]): Pick<AgentConfig, 'skills'>[] {
  // cast: each was read as a config before
  return agents
    .flatMap((each) => ('config' in each ? [JSON.parse(each.config) as Partial<AgentConfig>] : []))
    .map(({ skills = [] }) => ({ skills }))
}

async function openKnowledge(
  given: Given,
  terminal: Terminal,
  beside: KnowledgePort,
): Promise<Result<FolderKnowledge, string>> {
  const named = listOption(given, 'knowledge')
  if (named.length === 0) return { ok: true, value: { port: beside, close: () => {} } }
  const warn = (sentence: string) => terminal.err(`${sentence}\n`)
  return openFolders(named, { from: terminal.folder, beside, warn })
}
