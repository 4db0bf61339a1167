/** Opens what an agent needs around it at the command line, and lists what of it is missing. */
import { readiness } from '#lib/server/agents/readiness'
import { dataFolderOf, readMinimumWall, rootOf } from '#lib/server/environment/environment'
import { readOutbound } from '#lib/server/environment/environment-outbound'
import { openKeptSettings } from '#lib/server/kept-settings'
import { createPorts, type Ports } from '#lib/server/ports/ports'
import { createWebSearch } from '#lib/server/ports/web-search'
import type { AgentConfig, Parts } from '#lib/spec/config'
import type { Diagnostic, Result } from '#lib/spec/errors'
import { noKnowledge } from '#lib/spec/recall-port'
import { noSkills, type SkillsPort } from '#lib/spec/skill-port'
import { type Given, listOption, textOption } from './command'
import { withEndpoints } from './endpoints'
import { openMcpServers, readMcpFile } from './mcp-servers'
import { createModels } from './models'
import type { Terminal } from './terminal'
import { forTerminal, modelPlace } from './terminal-words'

/** The options that say what is around an agent. */
export const surroundingOptions = {
  data: { type: 'string' },
  endpoint: { type: 'string', multiple: true },
  knowledge: { type: 'string', multiple: true },
  skills: { type: 'string' },
} as const

export interface CliSurroundings {
  readonly models: ReturnType<typeof createModels>
  readonly ports: Ports['shared']
  /** A warning for each thing that the agent needs and that is missing here. */
  lacksOf(config: AgentConfig, skills: SkillsPort): Diagnostic[]
  close(): void
}

/** The error says in one sentence which option or variable is wrong. */
export function openSurroundings(
  given: Given,
  terminal: Terminal,
  parts: Parts,
): Result<CliSurroundings, string> {
  const env = withEndpoints(terminal.env, listOption(given, 'endpoint'), parts.providers)
  if (!env.ok) return env
  const outbound = readOutbound(env.value, parts.providers)
  if (!outbound.ok) return outbound
  const minimumWall = readMinimumWall(env.value)
  if (!minimumWall.ok) return minimumWall
  const named = textOption(given, 'data')
  const folder = dataFolder(named, terminal)
  // The settings of a server are read only where its folder is named: no key is used by accident.
  const read = named === undefined ? undefined : openKeptSettings(folder, parts.providers)
  if (read?.ok === false) return read
  const kept = read?.value
  const file = readMcpFile(terminal)
  const models = createModels(outbound.value, parts, kept, file?.values)
  const { allowHosts } = outbound.value
  const servers = openMcpServers(file, { terminal, data: folder, models, allowHosts })
  const search = createWebSearch({
    ...(kept && { settings: kept.settings, vault: kept.vault }),
    environment: outbound.value.search ?? {},
    now: Date.now,
  })
  const { shared, close } = createPorts({
    data: folder,
    registered: () => kept?.databases() ?? {},
    allowHosts,
    mcp: servers.mcp,
    search,
    skills: kept?.skills ?? noSkills,
    knowledge: kept?.knowledge ?? noKnowledge,
    ...(minimumWall.value && { minimumWall: minimumWall.value }),
    open: models.open,
  })
  const databases = shared.sql.databases()
  const folders = listOption(given, 'knowledge').map((each) => each.split('=', 1)[0])
  const collections = new Set([...folders, ...shared.knowledge.names()])
  const hasCollection = (name: string) => collections.has(name)
  const hasMcpServer = (name: string) => shared.mcp.listing(name) !== undefined
  const missing = (name: string) =>
    `There is no database "${name}" here, only ${databases.join(', ')}. Name the data folder of a server that has it with --data.`
  const value: CliSurroundings = {
    models,
    ports: shared,
    lacksOf: (config, skills) =>
      readiness(
        config,
        {
          databases,
          missing,
          hasMcpServer,
          addMcpServer,
          hasCollection,
          addCollection:
            kept && kept.knowledge === undefined ? startFirst(folder, 'collections') : addCollection,
          memoryProblem: shared.memory.problem,
          skills,
          addSkill: kept && kept.skills === undefined ? startFirst(folder, 'skills') : addSkill,
          lackOfTool: ({ lack }) => lack?.(shared),
          ...models,
        },
        parts,
      ).map((each) => ({
        ...each,
        message: forTerminal(each.message, modelPlace(config.model, parts.providers)),
      })),
    close: () => {
      close()
      search.close()
      servers.close()
      models.close()
      kept?.close()
    },
  }
  return { ok: true, value }
}

const addCollection =
  'Name a folder with its documents, as in --knowledge handbook=docs, or the data folder of a server that has it with --data.'
const addSkill =
  'Put its folder into a folder “skills” beside the agent’s file, or name the folder that has it with --skills.'
/** What to do about a folder whose database lacks what an update of the program has added. */
const startFirst = (folder: string, what: 'collections' | 'skills') =>
  `Start the server of ${folder} once, so that its ${what} can be read.`
const addMcpServer = 'Add it to the file named in LOOPWRIGHT_MCP_CONFIG, or choose another.'

/** The server's data folder, unless another is named. */
function dataFolder(named: string | undefined, { env, folder }: Terminal): string {
  return dataFolderOf(named ?? env.LOOPWRIGHT_DATA, { cwd: folder, root: rootOf(env, folder) })
}
