/** Puts the MCP servers of a data folder together: what is stored, the connections, and what a person sees of them. */
import path from 'node:path'
import { type Connections, createConnections } from '#lib/mcp/connections'
import { AppError, isAppError } from '#lib/spec/errors'
import type { McpServerStore } from '#lib/spec/mcp-store'
import type { Redact } from '#lib/spec/redact'
import { createGuardedStream } from '#lib/web/guarded-stream'
import { programOrigin, type Vault } from '../secrets/secrets'
import { type ConfigFile, readConfigFile } from './config-file'
import { planSecrets, storeSecrets } from './own-secrets'
import { createRecords, type McpSettings, type Records } from './records'
import { createRegistry, type McpServerRegistry, type RegistryContext } from './registry'
import { createServers } from './servers'
import type { SignInKeep } from './sign-in-keep'
import { createSignIns, type McpSignIns } from './sign-ins'
import { createSurroundings } from './surroundings'
import { secretsIn } from './templates'

interface McpContext {
  readonly store: McpServerStore
  readonly vault: Vault
  readonly redact: Redact
  readonly signInKeep: SignInKeep
  readonly publicOrigin?: string | undefined
  /** The data folder. */
  readonly data: string
  readonly temporary: string
  /** The operator's file. */
  readonly file?: string | undefined
  readonly noStdio?: boolean | undefined
  /** `host:port` pairs that may be reached although they are private. */
  readonly allowHosts: readonly string[]
  /** The version of this program, which servers are told. */
  readonly version: string
  usersOf: RegistryContext['usersOf']
  now(): number
}

export interface Mcp {
  readonly connections: Connections
  readonly registry: McpServerRegistry
  readonly signIns: McpSignIns
  /** The servers whose settings name this secret, each as `mcp:<server>`. */
  usingSecret(secret: string): string[]
  close(): Promise<void>
}

export function openMcp(given: McpContext): Mcp {
  const { store, vault, redact, data, temporary, noStdio = false, allowHosts, version, usersOf, now } = given
  const { signInKeep, publicOrigin } = given
  const search = process.env.PATH ?? ''
  const surroundings = createSurroundings({ data, temporary, search, lang: process.env.LANG })
  const config = given.file === undefined ? undefined : readConfigFile(given.file)
  const { servers: file, problems } = takeFile(vault, config)
  const records = createRecords({ store, file, now })
  const web = createGuardedStream({ allow: allowHosts })
  const shared = { records, surroundings, search, noStdio, redact, now }
  const signIns = createSignIns({
    ...{ keep: signInKeep, clock: { now }, allowHosts, publicOrigin },
    urlOf: (name) => addressIn(records, name),
    onChange: (name) => {
      records.note(name, { lastError: null })
      servers.announce({ name, what: 'reach' })
    },
  })
  const servers = createServers({
    ...{ ...shared, openSecret: vault.open, fetchFor: web.fetchFor, tokensOf: signIns.tokens },
  })
  // No server's name begins with a dot, so this is the folder of none.
  const connections = createConnections({ servers, version, processes: path.join(data, 'mcp/.processes') })
  const shown = config === undefined ? null : { path: config.path, problems }
  return {
    connections,
    registry: createRegistry({
      ...{ ...shared, servers, vault, file: shown, test: connections.test, usersOf },
      ...{ signInOf: signIns.view, forgetSignIn: signIns.forget },
    }),
    signIns,
    usingSecret: (secret) =>
      records.all().flatMap(({ name, settings }) => {
        const isNamed = settings !== undefined && secretsIn(settings.reach).includes(secret)
        return isNamed ? [programOrigin(name)] : []
      }),
    close: async () => {
      await connections.close()
      await web.close()
    },
  }
}

/** Where a person signs in to a server. */
function addressIn(records: Records, name: string): string {
  const record = records.get(name)
  if (record === undefined) throw new AppError('not_found', `There is no MCP server ${name.slice(0, 100)}.`)
  const reach = record.settings?.reach
  if (reach?.transport === 'http') return reach.url
  throw new AppError(
    'unprocessable',
    `${name} is a program, and only servers with an address have a sign-in.`,
  )
}

/** The settings of the file's servers, with their secrets in the vault. */
function takeFile(
  vault: Vault,
  config: ConfigFile | undefined,
): { servers: Map<string, McpSettings>; problems: string[] } {
  const servers = new Map<string, McpSettings>()
  const problems = [...(config?.problems ?? [])]
  for (const [name, { reach }] of config?.servers ?? []) {
    try {
      const plan = planSecrets(vault, name, reach)
      storeSecrets(vault, name, plan)
      servers.set(name, { reach: plan.reach, timeoutSeconds: 60 })
    } catch (error) {
      if (!isAppError(error)) throw error
      problems.push(`${name}: ${error.message}`)
    }
  }
  return { servers, problems }
}
