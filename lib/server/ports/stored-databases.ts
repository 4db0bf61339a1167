/** The databases as the settings store them, and how they are opened: a file, or a connection with its password. */
import { isIP } from 'node:net'
import { z } from 'zod'
import type { DatabaseSource } from '#lib/sandbox/sql'
import type { PostgresConnection, SqlMode } from '#lib/sandbox/sql-wire'
import type { Result } from '#lib/spec/errors'
import type { SettingsStore } from '#lib/spec/store'
import { postgresTls } from '#lib/wire/databases'
import type { Vault } from '../secrets/secrets'

const key = 'databases'

const storedConnection = z.object({
  kind: z.literal('postgresql'),
  host: z.string(),
  port: z.int(),
  database: z.string(),
  user: z.string(),
  tls: postgresTls,
  certificate: z.string().optional(),
  statementSeconds: z.int(),
  write: z.object({ user: z.string() }).nullable(),
})
export type StoredConnection = z.infer<typeof storedConnection>

/** A text is the path of a file that can only be read. */
const storedDatabase = z.union([
  z.string(),
  z.object({ kind: z.literal('sqlite'), path: z.string(), writable: z.boolean() }),
  storedConnection,
])
export type StoredDatabase = z.infer<typeof storedDatabase>
const stored = z.record(z.string(), storedDatabase)

/** Sorted by name. */
export function storedDatabases(settings: SettingsStore): Record<string, StoredDatabase> {
  const read = stored.safeParse(settings.get(key) ?? {})
  const entries = Object.entries(read.success ? read.data : {})
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

export function storeDatabases(settings: SettingsStore, databases: Record<string, StoredDatabase>): void {
  settings.set(key, databases)
}

/** Every stored database as the SQL port opens it. */
export function databaseSources(
  settings: SettingsStore,
  vault: Pick<Vault, 'get' | 'open'>,
): Record<string, DatabaseSource> {
  const all = Object.entries(storedDatabases(settings))
  return Object.fromEntries(all.map(([name, each]) => [name, sourceOf(name, each, vault)]))
}

/** @param typed passwords that are not stored yet, for a test */
export function sourceOf(
  name: string,
  database: StoredDatabase,
  vault: Pick<Vault, 'get' | 'open'>,
  typed: Readonly<Partial<Record<SqlMode, string>>> = {},
): DatabaseSource {
  if (typeof database === 'string') return database
  if (database.kind === 'sqlite')
    return { kind: 'sqlite', file: database.path, isWritable: database.writable }
  return {
    kind: 'postgresql',
    isWritable: database.write !== null,
    connect: (mode) => connectionOf(name, database, { mode, vault, typed: typed[mode] }),
  }
}

interface Opening {
  readonly mode: SqlMode
  readonly vault: Pick<Vault, 'get' | 'open'>
  readonly typed: string | undefined
}

function connectionOf(
  name: string,
  { kind: _, write, user, ...rest }: StoredConnection,
  { mode, vault, typed }: Opening,
): Result<PostgresConnection, string> {
  const role = mode === 'write' ? (write?.user ?? '') : user
  if (typed !== undefined) return { ok: true, value: { ...rest, user: role, password: typed } }
  const secret = passwordSecret(name, mode)
  // A server may trust a role without a password.
  if (vault.get(secret) === undefined) return { ok: true, value: { ...rest, user: role, password: '' } }
  const opened = vault.open(secret, databaseOrigin(rest))
  if (opened.ok) return { ok: true, value: { ...rest, user: role, password: opened.value } }
  const problem =
    opened.why === 'origin'
      ? 'its password was not entered for the address that it has now; a person can enter it again under Settings.'
      : 'its password cannot be decrypted; a person can enter it again under Settings.'
  return { ok: false, error: problem }
}

/** The place to which the password of a connection may be sent. */
export function databaseOrigin({ host, port }: Pick<StoredConnection, 'host' | 'port'>): string {
  const name = host.toLowerCase()
  return `postgresql://${isIP(name) === 6 ? `[${name}]` : name}:${port}`
}

/** The name of the secret with the password of a connection: `DB_SALES_PASSWORD`, `DB_SALES_WRITE_PASSWORD`. */
export function passwordSecret(name: string, mode: SqlMode): string {
  const own = name.toUpperCase().replaceAll('-', '_')
  return `DB_${own}${mode === 'write' ? '_WRITE' : ''}_PASSWORD`
}

/** The databases that use a secret as a password. */
export function databasesUsing(settings: SettingsStore, secret: string): string[] {
  return Object.entries(storedDatabases(settings)).flatMap(([name, each]) => {
    const isConnection = typeof each !== 'string' && each.kind === 'postgresql'
    const isUsed = (['read', 'write'] as const).some((mode) => passwordSecret(name, mode) === secret)
    return isConnection && isUsed ? [name] : []
  })
}
