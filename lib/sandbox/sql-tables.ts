/** The tables of a file, which are filled into a database in memory when the first statement needs them. */
import type { SqlFile } from '#lib/spec/sql'
import type { ColumnType } from '#lib/spec/tables'
import { streamTables } from './tables'

export interface SqlTables {
  /** Equal for equal contents, so that what was filled can serve again. */
  readonly key: string
  /** Gives the tables and their rows to the sink; a message when they cannot be read. */
  fill(sink: SqlTableSink, signal: AbortSignal): Promise<string | undefined>
}

/** Receives each table, then its rows in portions, before the next table. */
interface SqlTableSink {
  table(name: string, columns: readonly SqlTableColumn[]): void | Promise<void>
  rows(rows: readonly (readonly SqlCell[])[]): void | Promise<void>
}

export interface SqlTableColumn {
  readonly name: string
  /** A type in SQLite's dialect: TEXT, INTEGER, REAL, DATE. */
  readonly type: string
}

export type SqlCell = string | number | boolean | null

/** Types that SQLite shows as they are declared. */
const sqlTypes: Readonly<Record<ColumnType, string>> = {
  integer: 'INTEGER',
  number: 'REAL',
  boolean: 'BOOLEAN',
  date: 'DATE',
  datetime: 'DATETIME',
  time: 'TIME',
  text: 'TEXT',
}

/** The tables of a CSV or XLSX file, one for each sheet; sheets without columns are left out. */
export function tablesOfFile({ key, content }: SqlFile): SqlTables {
  return {
    key,
    async fill(sink, signal) {
      let isTable = false
      let count = 0
      const read = await streamTables(
        { content: content() },
        {
          async table({ sheet, columns }) {
            isTable = columns.length > 0
            if (!isTable) return
            count += 1
            await sink.table(
              sheet,
              columns.map(({ name, type }) => ({ name, type: sqlTypes[type] })),
            )
          },
          rows: (rows) => (isTable ? sink.rows(rows) : undefined),
        },
        signal,
      )
      if (!read.ok) return read.message
      return count === 0 ? 'The file has no tables.' : undefined
    },
  }
}
