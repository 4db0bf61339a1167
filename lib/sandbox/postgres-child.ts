/**
 * The child process for PostgreSQL: one connection, one statement at a time, each in a transaction of its own that is
 * rolled back unless it may write. Texts of a model are sent by the extended protocol only, which takes one statement.
 */
import readline from 'node:readline'
import tls from 'node:tls'
import pg from 'pg'
import Cursor from 'pg-cursor'
import type { SqlRows } from '#lib/spec/sql'
import { postgresCell } from './postgres-cells'
import { StatementDescription } from './postgres-describe'
import { connectFault, type PostgresError, queryFault } from './postgres-faults'
import { type RoleRights, rightsFault, rightsSql } from './postgres-rights'
import { cpuMs, RowCollector, type RowLimits, toSql } from './sql-rows'
import type {
  PostgresConnection,
  SqlAsk,
  SqlDone,
  SqlFacts,
  SqlMode,
  SqlRead,
  SqlSaid,
  SqlWrite,
} from './sql-wire'

const connectMs = 10_000
/** Rows that are fetched at once. */
const portion = 50

type Opening = PostgresConnection & { readonly mode: SqlMode }

function say(said: SqlSaid): void {
  process.stdout.write(`${JSON.stringify(said)}\n`)
}

function clientOf({ host, port, database, user, password, tls: how, certificate }: Opening): pg.Client {
  const client = new pg.Client({
    ...{ host, port, database, user, password },
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    application_name: 'loopwright',
    ssl: how !== 'off' && {
      rejectUnauthorized: how === 'verify',
      ...(certificate !== undefined && { ca: certificate }),
      // The driver names no host to check an address against.
      checkServerIdentity: (_: string, given: tls.PeerCertificate) =>
        how === 'verify' ? tls.checkServerIdentity(host, given) : undefined,
    },
  })
  // The statement under way reports it as well; without a listener it would end the process.
  client.on('error', () => undefined)
  return client
}

/** Values stay as the server writes them. */
const asTexts = { getTypeParser: () => (text: string) => text }

/** The settings of each transaction. A server that does not know one of them leaves it out. */
const settingsSql = `
  select pg_catalog.pg_backend_pid() as pid, pg_catalog.set_config(s.name, v.value, true)
  from rows from (pg_catalog.unnest($1::text[]), pg_catalog.unnest($2::text[])) as v(name, value)
  left join pg_catalog.pg_settings s on s.name = v.name`

class Connection {
  /** The server's process for the statement under way. */
  private pid: number | undefined

  constructor(
    private readonly client: pg.Client,
    private readonly opening: Opening,
  ) {}

  async read(ask: SqlRead): Promise<SqlDone> {
    return this.inTransaction('READ ONLY', 'ROLLBACK', async () => {
      const { value } = await this.rowsOf(ask.sql, ask.parameters.map(toSql), ask)
      return { type: 'rows', value }
    })
  }

  async check(sql: string): Promise<SqlDone> {
    return this.inTransaction('READ ONLY', 'ROLLBACK', async () => {
      const columns = await new Promise<string[]>((resolve, reject) =>
        this.client.query(new StatementDescription(sql, { resolve, reject })),
      )
      return { type: 'checked', columns }
    })
  }

  async write(ask: SqlWrite): Promise<SqlDone> {
    return this.inTransaction('READ WRITE', 'COMMIT', async () => {
      const limits = { ...ask, most: ask.maxChanged }
      const { value, changed, command } = await this.rowsOf(ask.sql, [], limits)
      if (command === 'SELECT')
        throw new NoChange('Only a statement whose own verb changes rows may run here.')
      if (changed > ask.maxChanged) throw new TooMany(ask.maxChanged)
      return { type: 'written', changed, value }
    })
  }

  async facts(): Promise<SqlDone> {
    const { tls: how } = this.opening
    return this.inTransaction('READ ONLY', 'ROLLBACK', async () => {
      const { rows } = await this.send(factsSql)
      const { version, role, tables, writable } = rows[0] ?? {}
      const facts: SqlFacts = {
        version: `PostgreSQL ${String(version).split(' ')[0]}`,
        role: String(role),
        tables: Number(tables),
        writable: Number(writable),
        encrypted: how !== 'off',
      }
      return { type: 'facts', facts }
    })
  }

  /** Stops the statement under way, by a connection of its own. */
  async cancel(): Promise<void> {
    const { pid } = this
    if (pid === undefined) return
    const other = clientOf(this.opening)
    try {
      await other.connect()
      await other.query('select pg_catalog.pg_cancel_backend($1)', [pid])
    } catch {
      // The server's own limit on the time of a statement ends it.
    } finally {
      await other.end().catch(() => undefined)
    }
  }

  private async inTransaction(
    access: 'READ ONLY' | 'READ WRITE',
    end: 'ROLLBACK' | 'COMMIT',
    work: () => Promise<SqlDone>,
  ): Promise<SqlDone> {
    await this.send(`BEGIN ${access}`)
    try {
      const { rows } = await this.send(settingsSql, settingsOf(this.opening))
      this.pid = Number(rows[0]?.pid)
      const done = await work()
      if (end === 'COMMIT') await this.commit()
      else await this.send('ROLLBACK')
      return done
    } catch (error) {
      if (!(error instanceof UnknownOutcome)) await this.send('ROLLBACK').catch(() => undefined)
      throw error
    } finally {
      this.pid = undefined
    }
  }

  /** When no answer to it comes, nobody knows whether it took place. */
  private async commit(): Promise<void> {
    try {
      await this.send('COMMIT')
    } catch (error) {
      if (error instanceof pg.DatabaseError) throw error
      throw new UnknownOutcome()
    }
  }

  /** Rows in portions, so that a long answer is never in memory as a whole. */
  private async rowsOf(
    sql: string,
    values: readonly unknown[],
    limits: RowLimits & { readonly most?: number },
  ): Promise<{ value: SqlRows; changed: number; command: string | null }> {
    const cursor = this.client.query(new Cursor(sql, [...values], { types: asTexts, rowMode: 'array' }))
    try {
      let collector: RowCollector | undefined
      let seen = 0
      for (;;) {
        const { rows, result } = await portionOf(cursor)
        collector ??= new RowCollector(
          result.fields.map(({ name }) => name),
          limits,
        )
        const wantsMore = addRows(collector, rows, result.fields)
        seen += rows.length
        const isOver = rows.length < portion || seen > (limits.most ?? Number.POSITIVE_INFINITY)
        if (isOver || (!wantsMore && limits.most === undefined))
          return {
            value: collector.done(),
            // Known only at the end, which is not reached once there are too many rows.
            changed: Math.max(result.rowCount ?? 0, seen),
            command: result.command,
          }
      }
    } finally {
      await cursor.close().catch(() => undefined)
    }
  }

  private send(text: string, values: readonly unknown[] = []) {
    return this.client.query<Record<string, unknown>>({
      text,
      values: [...values],
      queryMode: 'extended',
    } as pg.QueryConfig) // cast: its types do not know the mode
  }
}

interface Portion {
  readonly rows: readonly (readonly (string | null)[])[]
  readonly result: {
    readonly fields: readonly pg.FieldDef[]
    readonly rowCount: number | null
    readonly command: string | null
  }
}

function portionOf(cursor: Cursor): Promise<Portion> {
  return new Promise((resolve, reject) => {
    cursor.read(portion, (error, rows, result) => {
      if (error) reject(error)
      else resolve({ rows, result })
    })
  })
}

/** Whether further rows are wanted. */
function addRows(collector: RowCollector, rows: Portion['rows'], fields: readonly pg.FieldDef[]): boolean {
  return rows.every((row) =>
    collector.add(row.map((text, index) => postgresCell(text, fields[index]?.dataTypeID ?? 0))),
  )
}

class TooMany extends Error {
  constructor(most: number) {
    super(`The statement would change more than ${most} rows, which is its limit. Nothing was changed.`)
  }
}
class NoChange extends Error {}
class UnknownOutcome extends Error {}

function settingsOf({ statementSeconds }: Opening): [string[], string[]] {
  const settings = {
    statement_timeout: `${statementSeconds}s`,
    lock_timeout: '10s',
    idle_in_transaction_session_timeout: '30s',
    // A server that looks for it stops a statement when this process has died.
    client_connection_check_interval: '2s',
    standard_conforming_strings: 'on',
    row_security: 'on',
  }
  return [Object.keys(settings), Object.values(settings)]
}

const factsSql = `
  select current_setting('server_version') as version, session_user::text as role,
    count(*) as tables,
    count(*) filter (where has_table_privilege(c.oid, 'INSERT') or has_table_privilege(c.oid, 'UPDATE') or has_table_privilege(c.oid, 'DELETE')) as writable
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname not in ('pg_catalog', 'information_schema')
    and n.nspname !~ '^pg_' and has_schema_privilege(n.oid, 'USAGE')
    and (has_table_privilege(c.oid, 'SELECT') or has_any_column_privilege(c.oid, 'SELECT'))`

async function answer(
  connection: Connection,
  opening: Opening,
  ask: Exclude<SqlAsk, { type: 'cancel' }>,
): Promise<SqlSaid> {
  try {
    return { ...(await done(connection, ask)), cpuMs: cpuMs() }
  } catch (error) {
    if (error instanceof TooMany)
      return { type: 'failed', code: 'too_many_rows', message: error.message, cpuMs: cpuMs() }
    if (error instanceof NoChange)
      return { type: 'failed', code: 'not_one_write', message: error.message, cpuMs: cpuMs() }
    if (error instanceof UnknownOutcome) {
      const message =
        'The connection was lost while the change was being stored. Read the rows before you repeat it.'
      return { type: 'failed', code: 'outcome_unknown', message, cpuMs: cpuMs() }
    }
    const sql = 'sql' in ask ? ask.sql : ''
    const { ok: _, ...failure } = queryFault(error as PostgresError, sql, opening) // cast: the driver's and the system's errors have these keys
    return { type: 'failed', ...failure, cpuMs: cpuMs() }
  }
}

function done(connection: Connection, ask: Exclude<SqlAsk, { type: 'cancel' }>): Promise<SqlDone> {
  switch (ask.type) {
    case 'read':
      return connection.read(ask)
    case 'check':
      return connection.check(ask.sql)
    case 'write':
      return connection.write(ask)
    case 'facts':
      return connection.facts()
    default:
      return ask satisfies never
  }
}

async function open(opening: Opening): Promise<Connection | undefined> {
  const client = clientOf(opening)
  try {
    await client.connect()
    const { rows } = await client.query(rightsSql)
    const rights: RoleRights = {
      role: rows[0]?.role ?? '',
      isSuperuser: rows[0]?.is_superuser ?? true,
      serverRoles: rows[0]?.server_roles ?? [],
    }
    const fault = rightsFault(rights, opening)
    if (fault === undefined) return new Connection(client, opening)
    say({ type: 'unavailable', ...fault })
  } catch (error) {
    say({ type: 'unavailable', ...connectFault(error as PostgresError, opening) }) // cast: as above
  }
  return undefined
}

/** The first line opens the connection; each further one is a statement, or the wish to stop the one under way. */
function main(): void {
  let connection: Connection | undefined
  let opening: Opening | undefined
  const lines = readline.createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })
  const stop = async () => {
    await connection?.cancel()
    process.exit(0)
  }
  let last: Promise<void> = Promise.resolve()
  lines.on('line', (line) => {
    const said = JSON.parse(line)
    if (opening === undefined) {
      const given: Opening = said
      opening = given
      last = open(given).then((opened) => {
        connection = opened
        if (opened === undefined) process.exitCode = 0
        else say({ type: 'opened' })
      })
      return
    }
    const ask: SqlAsk = said
    if (ask.type === 'cancel') {
      void stop()
      return
    }
    const given = opening
    last = last.then(async () => {
      if (connection !== undefined) say(await answer(connection, given, ask))
    })
  })
  lines.on('close', () => void stop())
}

main()
