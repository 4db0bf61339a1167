/** What the database tools share: choosing a database, quoting names and reporting failures. */
import { z } from 'zod'
import type { SqlAnswer, SqlPort, SqlRequest } from '#lib/spec/sql'
import type { ToolContext, ToolOutput } from '#lib/spec/tool'

export type ReadRefusal = Extract<ToolOutput, { ok: false }>

/** The argument `database`; its format lets a check find presets that name a database. */
export const databaseArgument = z.string().max(64).optional().meta({
  title: 'Database',
  description: 'Name of a registered database; may be left out when there is only one.',
  format: 'database',
})

/** One database, open for the queries of one call. */
export interface DatabaseReading {
  query(request: Omit<SqlRequest, 'database'>): Promise<SqlAnswer>
}

/** Opens the requested database, or refuses and lists the ones that exist. */
export function openDatabase(
  asked: string | undefined,
  { ports: { sql }, signal, inLine }: Pick<ToolContext, 'ports' | 'signal' | 'inLine'>,
): { name: string; reading: DatabaseReading } | { refusal: ReadRefusal } {
  const chosen = choose(sql, asked)
  if ('refusal' in chosen) return chosen
  const { name } = chosen
  const query: DatabaseReading['query'] = (request) =>
    sql.query({ ...request, database: name, inLine }, signal)
  return { name, reading: { query } }
}

function choose(sql: SqlPort, asked: string | undefined): { name: string } | { refusal: ReadRefusal } {
  const names = sql.databases()
  const [only, ...more] = names
  if (asked === undefined && only !== undefined && more.length === 0) return { name: only }
  if (asked !== undefined && names.includes(asked)) return { name: asked }
  if (only === undefined) return { refusal: refuseRead('No database is registered.') }
  const known = names.map((each) => `"${each}"`).join(', ')
  if (asked === undefined) return { refusal: refuseRead(`Name one of the databases: ${known}.`) }
  return { refusal: refuseRead(`There is no database "${asked}". Registered: ${known}.`) }
}

function refuseRead(message: string): ReadRefusal {
  return { ok: false, message, code: 'unknown_database' }
}

export function refusalOf(answer: Extract<SqlAnswer, { ok: false }>): ReadRefusal {
  const { message, code } = answer
  return { ok: false, message, code, ...(code === 'busy' && { retryable: true }) }
}

/** Any name as a quoted SQL identifier. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

export interface TableName {
  readonly name: string
  readonly kind: 'table' | 'view'
}

const tablesSql = `
  select name, type from pragma_table_list where schema = 'main' and type in ('table', 'view', 'virtual')
    and name not like 'sqlite\\_%' escape '\\' order by name`

/** Tables and views by name, without shadow tables and SQLite's own tables. */
export async function tablesOf(
  reading: DatabaseReading,
): Promise<{ tables: TableName[] } | { refusal: ReadRefusal }> {
  const answer = await reading.query({ sql: tablesSql })
  if (!answer.ok) return { refusal: refusalOf(answer) }
  const tables = answer.value.rows.map(
    ([name, type]): TableName => ({ name: String(name), kind: type === 'view' ? 'view' : 'table' }),
  )
  return { tables }
}
