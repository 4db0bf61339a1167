/** Inserts rows with a statement that is prepared once; drizzle would write and prepare it again for each row. */
import { getTableColumns } from 'drizzle-orm'
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { SqliteConnection } from '#lib/sqlite/driver'

/**
 * @param names the columns that every row has, as the table names them in TypeScript
 * @param conflict what follows `on conflict`, if a row may exist already
 */
export function prepareInsert<T extends SQLiteTable, K extends keyof T['$inferInsert'] & string>(
  client: SqliteConnection,
  table: T,
  { names, conflict }: { names: readonly K[]; conflict?: string },
): (row: Pick<T['$inferInsert'], K>) => void {
  const known = getTableColumns(table)
  const columns = names.map((name) => {
    const column = known[name]
    if (column === undefined) throw new Error(`the table has no column ${name}`)
    return { name, column }
  })
  const statement = client.prepare(
    `insert into ${getTableConfig(table).name} (${columns.map(({ column }) => column.name).join(', ')})
     values (${columns.map(() => '?').join(', ')})${conflict === undefined ? '' : ` on conflict ${conflict}`}`,
  )
  return (row) => {
    const values = columns.map(({ name, column }) => {
      const value = row[name] ?? null
      return value === null ? null : column.mapToDriverValue(value)
    })
    statement.run(...values)
  }
}
