/** MCP servers as a person sets them up: added, confirmed, tested, their tools looked at, and removed. */
import { AppError } from '#lib/spec/errors'
import type { McpReach } from '#lib/spec/mcp'
import { visible } from '#lib/spec/visible'
import type {
  AddMcpServer,
  ConsentToMcpServer,
  DecideMcpTools,
  ImportedMcpServer,
  ImportMcpServers,
  McpImport,
  McpServerDetail,
  McpServerList,
  McpServerTest,
  McpServerView,
  SavedMcpServer,
  SaveMcpServer,
} from '#lib/wire/mcp-servers'
import { programOrigin, type Vault } from '../secrets/secrets'
import { findBinary, hashCommand } from './command'
import { type ReadEntry, readEntries } from './import-json'
import { declareSecrets, planSecrets, storeSecrets, withdrawSecrets } from './own-secrets'
import { decideTools, hashTools, judgeTools } from './pins'
import { reachFault } from './reach'
import type { Records, ServerRecord } from './records'
import { countTools, type OpenServers } from './servers'
import { type ViewContext, viewServer, viewTool, viewUnusable, wallOf } from './views'

/** All methods throw AppErrors; none returns the value of a secret. */
export interface McpServerRegistry {
  list(): Promise<McpServerList>
  get(name: string): Promise<McpServerDetail>
  add(request: AddMcpServer): Promise<SavedMcpServer>
  save(name: string, request: SaveMcpServer): Promise<SavedMcpServer>
  remove(name: string): void
  import(request: ImportMcpServers): McpImport
  test(name: string, signal: AbortSignal): Promise<McpServerTest>
  consent(name: string, request: ConsentToMcpServer): Promise<McpServerView>
  decide(name: string, request: DecideMcpTools): Promise<McpServerDetail>
}

export interface RegistryContext extends ViewContext {
  readonly records: Records
  readonly servers: OpenServers
  readonly vault: Vault
  /** The operator's file, and what is wrong with it. */
  readonly file: McpServerList['file']
  /** Ends what is known of a sign-in to a server that is removed. */
  forgetSignIn(server: string): void
  /** Connects a server anew and lists its tools. */
  test(name: string, signal: AbortSignal): Promise<{ readonly ok: boolean; readonly message?: string }>
  /** The agents whose drafts use a server. */
  usersOf(server: string): McpServerDetail['usedBy']
  now(): number
}

/** More servers than anybody needs; each is a row of every list. */
const mostServers = 500

export function createRegistry(context: RegistryContext): McpServerRegistry {
  const { records, servers, vault, surroundings } = context
  const known = (name: string): ServerRecord => {
    const record = records.get(name)
    if (record === undefined) throw new AppError('not_found', `There is no MCP server ${name.slice(0, 100)}.`)
    return record
  }
  const own = (name: string): ServerRecord => {
    const record = known(name)
    if (record.from === 'settings') return record
    throw new AppError(
      'conflict',
      `${name} comes from ${context.file?.path}. Change it there and restart the server.`,
    )
  }
  const view = async (record: ServerRecord) => viewServer(context, record, await wallOf(surroundings))
  const checkNew = (name: string) => {
    const fault = faultOfNew(records, name)
    if (fault !== undefined) throw new AppError('name_taken', fault, { path: 'name' })
  }
  /** Stores secrets first, so that no settings are ever stored with them. */
  const store = async (name: string, request: SaveMcpServer): Promise<SavedMcpServer> => {
    checkReach(context, request.reach)
    const plan = planSecrets(vault, name, request.reach)
    const added = new Set(plan.found.map((each) => each.name))
    storeSecrets(vault, name, plan)
    declareSecrets(
      vault,
      name,
      plan.reach,
      request.declare.filter((each) => !added.has(each)),
    )
    const record = records.save(name, { reach: plan.reach, timeoutSeconds: request.timeoutSeconds })
    servers.announce({ name, what: 'reach' })
    return {
      server: await view(record),
      taken: plan.found.map(({ name: secret, at }) => ({ name: secret, at })),
    }
  }
  const detail = async (name: string): Promise<McpServerDetail> => {
    const record = known(name)
    const memory = records.tools(name)
    const list = judgeTools(memory).map((each) => viewTool(each, context.redact))
    const setHash = hashTools(memory.listed)
    const unusable = (memory.unusable ?? []).map((each) => viewUnusable(each, context.redact))
    return { ...(await view(record)), list, unusable, setHash, usedBy: context.usersOf(name) }
  }
  return {
    list: async () => {
      const wall = await wallOf(surroundings)
      const items = records.all().map((record) => viewServer(context, record, wall))
      return { items, noStdio: context.noStdio, wall, file: context.file }
    },
    get: detail,
    add: async ({ name, ...request }) => {
      checkNew(name)
      return await store(name, request)
    },
    save: async (name, request) => {
      own(name)
      return await store(name, request)
    },
    remove: (name) => {
      const { settings } = own(name)
      context.forgetSignIn(name)
      records.remove(name)
      servers.announce({ name, what: 'reach' })
      if (settings?.reach.transport !== 'stdio') return
      withdrawSecrets(vault, programOrigin(name))
      surroundings.forget(name)
    },
    import: ({ text, preview }) => {
      const read = readEntries(text)
      if (!read.ok) throw new AppError('unprocessable', read.error, { path: 'text' })
      const names = new Set<string>()
      return { items: read.value.map((entry) => importEntry(context, entry, { names, preview })) }
    },
    test: async (name, signal) => {
      known(name)
      const began = context.now()
      const { ok, message = notReady } = await context.test(name, signal)
      const server = await view(known(name))
      const durationMs = Math.max(0, context.now() - began)
      return { ok, message: ok ? foundTools(server.tools) : visible(message), durationMs, server }
    },
    consent: async (name, { commandHash, unwalled }) => {
      const record = known(name)
      confirm(context, record, { commandHash, unwalled })
      servers.announce({ name, what: 'reach' })
      return await view(known(name))
    },
    decide: async (name, decision) => {
      known(name)
      const memory = decideTools(records.tools(name), decision)
      if (memory === undefined)
        throw new AppError('conflict', 'The tools have changed since they were shown. Look at them again.')
      records.saveTools(name, memory)
      records.note(name, { tools: countTools(judgeTools(memory), memory.unusable) })
      servers.announce({ name, what: 'tools' })
      return await detail(name)
    },
  }
}

const notReady = 'The server did not answer in time. Test it again.'

function foundTools({ on, off }: McpServerView['tools']): string {
  const all = `It works: ${on + off} ${on + off === 1 ? 'tool' : 'tools'}`
  return off === 0 ? `${all}.` : `${all}, of which ${off} ${off === 1 ? 'is' : 'are'} off.`
}

/** Why no server can be added under this name. */
function faultOfNew(records: Records, name: string): string | undefined {
  const other = records.alike(name)
  if (other !== undefined)
    return other.name === name
      ? `There is an MCP server named ${name} already; choose another name.`
      : `There is an MCP server named ${other.name}, and names that differ only in their case are too alike.`
  if (name === 'import') return 'The name import is used by the API; choose another name.'
  if (records.all().length >= mostServers)
    return `There are ${mostServers} MCP servers already; remove some first.`
  return undefined
}

function checkReach({ noStdio, surroundings }: ViewContext, reach: McpReach): void {
  const fault = reachFault(reach)
  if (fault !== undefined) throw new AppError('unprocessable', fault, { path: 'reach' })
  if (reach.transport !== 'stdio') return
  if (noStdio) throw new AppError('unprocessable', `${noPrograms} Add one by its address.`, { path: 'reach' })
  const folders = surroundings.folderFault(reach)
  if (folders !== undefined) throw new AppError('unprocessable', folders, { path: 'reach' })
}

const noPrograms = 'LOOPWRIGHT_NO_STDIO is set on this server, so no MCP server can be a program.'

interface Importing {
  /** The names that earlier entries have taken. */
  readonly names: Set<string>
  readonly preview: boolean
}

function importEntry(
  context: RegistryContext,
  { entry, result }: ReadEntry,
  { names, preview }: Importing,
): ImportedMcpServer {
  if (!result.ok) return { ok: false, entry, error: result.error }
  const { name, reach, notes } = result.value
  try {
    const fault = names.has(name.toLowerCase())
      ? `Another entry is called ${name} too.`
      : faultOfNew(context.records, name)
    if (fault !== undefined) return { ok: false, entry, error: fault }
    checkReach(context, reach)
    const plan = planSecrets(context.vault, name, reach)
    if (!preview) {
      storeSecrets(context.vault, name, plan)
      context.records.save(name, { reach: plan.reach, timeoutSeconds: 60 })
      context.servers.announce({ name, what: 'reach' })
    }
    names.add(name.toLowerCase())
    const taken = plan.found.map(({ name: secret, at }) => ({ name: secret, at }))
    return { ok: true, entry, name, reach: plan.reach, taken, notes: [...notes] }
  } catch (error) {
    if (error instanceof AppError) return { ok: false, entry, error: error.message }
    throw error
  }
}

/** Stores the consent to exactly the command that was shown. */
function confirm(
  context: RegistryContext,
  record: ServerRecord,
  { commandHash, unwalled }: ConsentToMcpServer,
): void {
  const { name, settings } = record
  if (settings?.reach.transport !== 'stdio')
    throw new AppError('unprocessable', `${name} is not a program, so there is no command to confirm.`)
  if (context.noStdio) throw new AppError('unprocessable', noPrograms)
  const binary = findBinary(settings.reach.command, context.search)
  if (binary === undefined)
    throw new AppError('unprocessable', `There is no program ${settings.reach.command} on this machine.`)
  if (hashCommand(settings.reach, binary) !== commandHash)
    throw new AppError('conflict', 'The command is not the one that was shown. Look at it again.', {
      path: 'commandHash',
    })
  const state = { consent: { hash: commandHash, at: context.now(), unwalled }, lastError: null }
  context.records.note(name, state)
}
