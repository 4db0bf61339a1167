/** What a database says of its tables and columns, in the dialect of SQLite or of PostgreSQL. */
import type { JsonValue } from '#lib/spec/json'
import type { SqlDialect } from '#lib/spec/sql'
import { type DatabaseReading, type ReadRefusal, refusalOf } from './database'

export interface TableName {
  readonly name: string
  readonly kind: 'table' | 'view'
  /** The name as a statement writes it. */
  readonly sql: string
  /** Where the database keeps an estimate; null when it has none. */
  readonly estimatedRows?: number | null
}

export interface ColumnName {
  /** The name of its table, as in `TableName`. */
  readonly table: string
  readonly name: string
  readonly sql: string
}

/** Any name as a quoted SQL identifier. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

const tablesSql: Readonly<Record<SqlDialect, string>> = {
  sqlite: `
  select name, type from pragma_table_list where schema = 'main' and type in ('table', 'view', 'virtual')
    and name not like 'sqlite\\_%' escape '\\' order by name`,
  // Only what the role may read; a table outside of the search path is named with its schema.
  postgresql: `
  select case when pg_catalog.pg_table_is_visible(c.oid) then pg_catalog.quote_ident(c.relname)
      else pg_catalog.quote_ident(n.nspname) || '.' || pg_catalog.quote_ident(c.relname) end,
    case when c.relkind in ('v', 'm') then 'view' else 'table' end,
    case when c.reltuples >= 0 and c.relkind not in ('v', 'p') then c.reltuples::bigint end
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
    and n.nspname <> 'information_schema' and n.nspname !~ '^pg_'
    and pg_catalog.has_schema_privilege(n.oid, 'USAGE')
    and (pg_catalog.has_table_privilege(c.oid, 'SELECT') or pg_catalog.has_any_column_privilege(c.oid, 'SELECT'))
  order by 1`,
}

/** Tables and views by name, without those of the database itself. */
export async function tablesOf(
  reading: DatabaseReading,
): Promise<{ tables: TableName[] } | { refusal: ReadRefusal }> {
  const { dialect } = reading
  const answer = await reading.query({ sql: tablesSql[dialect] })
  if (!answer.ok) return { refusal: refusalOf(answer) }
  const tables = answer.value.rows.map(([given, type, estimate]): TableName => {
    const name = String(given)
    return {
      name,
      kind: type === 'view' ? 'view' : 'table',
      sql: dialect === 'sqlite' ? quoteName(name) : name,
      ...(dialect === 'postgresql' && { estimatedRows: typeof estimate === 'number' ? estimate : null }),
    }
  })
  return { tables }
}

/** Name, type, key and reference of each column of the table in the last parameter, which SQLite takes twice. */
const columnsSql: Readonly<Record<SqlDialect, string>> = {
  sqlite: `
  select c.name, c.type, case when c.pk > 0 then 'primary' else '' end,
    coalesce((select f."table" || '.' || coalesce(f."to", '') from pragma_foreign_key_list(?) f where f."from" = c.name limit 1), '')
  from pragma_table_info(?) c order by c.cid`,
  postgresql: `
  select a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod),
    case when exists (select from pg_catalog.pg_index i where i.indrelid = a.attrelid and i.indisprimary and a.attnum = any(i.indkey)) then 'primary' else '' end,
    coalesce((select t.relname || '.' || r.attname from pg_catalog.pg_constraint k
      join pg_catalog.pg_class t on t.oid = k.confrelid
      join pg_catalog.pg_attribute r on r.attrelid = k.confrelid and r.attnum = k.confkey[pg_catalog.array_position(k.conkey, a.attnum)]
      where k.contype = 'f' and k.conrelid = a.attrelid and a.attnum = any(k.conkey) limit 1), '')
  from pg_catalog.pg_attribute a
  where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped
    and pg_catalog.has_column_privilege(a.attrelid, a.attnum, 'SELECT')
  order by a.attnum`,
}

/** The columns of one table, each as name, type, key and what it references. */
export async function columnsOf(
  reading: DatabaseReading,
  { name }: TableName,
): Promise<{ rows: readonly (readonly JsonValue[])[] } | { refusal: ReadRefusal }> {
  const { dialect } = reading
  const parameters = dialect === 'sqlite' ? [name, name] : [name]
  const columns = await reading.query({ sql: columnsSql[dialect], parameters })
  return columns.ok ? { rows: columns.value.rows } : { refusal: refusalOf(columns) }
}

/** The tables in the first parameter, a JSON array of their names. */
const namesSql: Readonly<Record<SqlDialect, string>> = {
  sqlite: `
  select t.value, c.name from json_each(?) t join pragma_table_info(t.value) c order by t.key, c.cid`,
  postgresql: `
  select t.name, a.attname, pg_catalog.quote_ident(a.attname)
  from pg_catalog.json_array_elements_text($1::json) with ordinality as t(name, place)
  join pg_catalog.pg_attribute a on a.attrelid = t.name::regclass
  where a.attnum > 0 and not a.attisdropped and pg_catalog.has_column_privilege(a.attrelid, a.attnum, 'SELECT')
  order by t.place, a.attnum`,
}

/** The columns of several tables by name: at most 1,000. */
export async function columnNamesOf(
  reading: DatabaseReading,
  tables: readonly TableName[],
): Promise<ColumnName[]> {
  const { dialect } = reading
  const parameters = [JSON.stringify(tables.map(({ name }) => name))]
  const answer = await reading.query({ sql: namesSql[dialect], parameters })
  if (!answer.ok) return []
  return answer.value.rows.map(([table, name, sql]) => {
    const plain = String(name)
    return { table: String(table), name: plain, sql: dialect === 'sqlite' ? sqliteName(plain) : String(sql) }
  })
}

/** Words that SQLite does not take as a name without quotes. */
const reserved = new Set(
  'add all alter and as autoincrement between case check collate commit constraint create default deferrable delete distinct drop else escape except exists foreign from group having in index insert intersect into is isnull join limit not notnull null on or order primary references returning select set table then to transaction union unique update using values when where'.split(
    ' ',
  ),
)

/** A name as a statement writes it, in quotes only where it needs them. */
export function sqliteName(name: string): string {
  const isPlain = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !reserved.has(name.toLowerCase())
  return isPlain ? name : quoteName(name)
}
