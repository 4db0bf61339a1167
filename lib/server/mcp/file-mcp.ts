/**
 * The MCP servers of the operator's file for the command line, which keeps nothing of them. Whoever runs a command
 * with LOOPWRIGHT_MCP_CONFIG confirms the commands of that file with it; that a program may run without a wall is
 * said in the file, with `"unwalled": true`.
 */
import { type Connections, createConnections } from '#lib/mcp/connections'
import type { McpReach } from '#lib/spec/mcp'
import type { McpServerRow, McpServerStore } from '#lib/spec/mcp-store'
import type { Redact } from '#lib/spec/redact'
import { createGuardedStream } from '#lib/web/guarded-stream'
import type { OpenedSecret } from '../secrets/secrets'
import { originOfServer } from './access'
import { readConfigFile } from './config-file'
import { createRecords, type McpSettings } from './records'
import { takeSecrets } from './secret-values'
import { createServers } from './servers'
import { createSurroundings } from './surroundings'

export interface FileServers {
  readonly servers: ReadonlyMap<string, McpSettings>
  /** Those that may run without a wall. */
  readonly unwalled: ReadonlySet<string>
  /** The secrets that the file itself contains, by name; only for the server of their origin. */
  readonly secrets: ReadonlyMap<string, { readonly value: string; readonly origin: string }>
  /** The values of those secrets, to be taken out of texts. */
  readonly values: readonly string[]
  /** What is wrong with the file, each in one sentence. */
  readonly problems: readonly string[]
}

export function readFileServers(file: string): FileServers {
  const config = readConfigFile(file)
  const servers = new Map<string, McpSettings>()
  const secrets = new Map<string, { value: string; origin: string }>()
  for (const [name, { reach }] of config.servers) {
    const taken = takeFileSecrets(name, reach, secrets)
    servers.set(name, { reach: taken, timeoutSeconds: 60 })
  }
  const unwalled = [...config.servers].filter(([, each]) => each.unwalled).map(([name]) => name)
  const values = [...secrets.values()].map(({ value }) => value)
  return { servers, unwalled: new Set(unwalled), secrets, values, problems: config.problems }
}

function takeFileSecrets(
  server: string,
  reach: McpReach,
  secrets: Map<string, { value: string; origin: string }>,
): McpReach {
  const origin = originOfServer(server, reach)
  return takeSecrets(server, reach, (proposal, value) => {
    let name = proposal
    for (let n = 2; secrets.has(name); n++) name = `${proposal}_${n}`
    secrets.set(name, { value, origin })
    return name
  }).reach
}

interface FileMcpContext {
  readonly file: FileServers
  /** The data folder, in which each program has its own. */
  readonly data: string
  /** Folders with programs, in the form of PATH. */
  readonly search: string
  readonly lang?: string | undefined
  readonly noStdio: boolean
  readonly allowHosts: readonly string[]
  readonly version: string
  readonly redact: Redact
  openSecret(name: string, origin: string): OpenedSecret
}

export function openFileMcp(given: FileMcpContext): { connections: Connections; close(): Promise<void> } {
  const { file, data, search, lang, noStdio, allowHosts, version, redact, openSecret } = given
  const web = createGuardedStream({ allow: allowHosts })
  const servers = createServers({
    records: createRecords({ store: keepNothing(), file: file.servers, now: Date.now }),
    surroundings: createSurroundings({ data, search, lang }),
    ...{ search, noStdio, redact, now: Date.now, fetchFor: web.fetchFor },
    consentOf: ({ name }) => ({ at: Date.now(), unwalled: file.unwalled.has(name) }),
    openSecret: (name, origin) => {
      const own = file.secrets.get(name)
      return own?.origin === origin ? { ok: true, value: own.value } : openSecret(name, origin)
    },
  })
  const connections = createConnections({ servers, version })
  const close = async () => {
    await connections.close()
    await web.close()
  }
  return { connections, close }
}

/** A store for the time of one command. */
function keepNothing(): McpServerStore {
  const rows = new Map<string, McpServerRow>()
  return {
    list: () => [...rows.values()],
    get: (name) => rows.get(name),
    put: (row) => void rows.set(row.name, row),
    update: (name, change) => {
      const row = rows.get(name)
      if (row !== undefined) rows.set(name, { ...row, ...change })
      return row !== undefined
    },
    remove: (name) => rows.delete(name),
  }
}
