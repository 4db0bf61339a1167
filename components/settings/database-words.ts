/** Databases in words: where they are, and what a test of them found. */
import type { ConnectionView, DatabaseView, TriedConnection } from '#lib/wire/databases'

/** Where a database is, on one line. */
export function whereIs({ path, sample, connection }: DatabaseView): string {
  if (connection !== undefined) return addressOf(connection)
  return sample ? 'The sample that comes with Loopwright: customers, products, invoices' : (path ?? '')
}

function addressOf({ host, port, database, user }: ConnectionView): string {
  const at = host.includes(':') ? `[${host}]` : host
  return `PostgreSQL ${database} at ${at}:${port} as ${user}`
}

/** Why a connection cannot be used, as far as that is known without trying it. */
export function problemOf({ connection }: DatabaseView): string | undefined {
  return connection?.password?.problem ?? connection?.write?.password?.problem
}

/** What removing it from the list means, as a sentence or two. */
export function removalWords({ name, connection }: DatabaseView): string {
  const gone = `Agents can no longer use ${name}.`
  if (connection === undefined) return `${gone} The file itself is not deleted.`
  const secrets = [connection.password, connection.write?.password].flatMap((each) => each?.secret ?? [])
  if (secrets.length === 0) return `${gone} The database itself is not changed.`
  const words =
    secrets.length === 1 ? `The password ${secrets[0]} is` : `The passwords ${secrets.join(' and ')} are`
  return `${words} deleted from this server for good. ${gone} The database itself is not changed.`
}

export interface Finding {
  readonly tone: 'ok' | 'warn' | 'error'
  readonly text: string
}

/** What one connection found, and what a person should know of it. */
export function findingsOf(tried: TriedConnection, mode: 'read' | 'write'): Finding[] {
  const who = mode === 'read' ? 'Reading' : 'Writing'
  if (!tried.ok) return [{ tone: 'error', text: `${who}: ${tried.message}` }]
  const { version, role, tables, writable, encrypted } = tried
  const facts = [
    version,
    role === undefined ? undefined : `role ${role}`,
    tablesInWords(tables),
    mode === 'write' && writable !== undefined ? `may change rows in ${writable}` : undefined,
    encrypted === undefined ? undefined : encrypted ? 'encrypted' : 'not encrypted',
  ].filter((each) => each !== undefined)
  const found: Finding[] = [{ tone: 'ok', text: `${who}: ${facts.join(' · ')}` }]
  if (tables === 0)
    found.push({ tone: 'warn', text: `${role === undefined ? 'It' : `The role ${role}`} sees no table.` })
  if (mode === 'read' && (writable ?? 0) > 0)
    found.push({
      tone: 'warn',
      text: `This role may change rows in ${tablesInWords(writable ?? 0)}. Statements run in read-only transactions, but a role that can only read is safer.`,
    })
  if (mode === 'write' && writable === 0)
    found.push({ tone: 'warn', text: 'This role may change no table, so sql.write will be refused.' })
  return found
}

function tablesInWords(count: number): string {
  return count === 1 ? '1 table' : `${count} tables`
}
