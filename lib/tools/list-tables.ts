/**
 * The tool `schema.list_tables`: lists the tables of a database with their row counts, the
 * first step of most questions.
 */
import { z } from 'zod'
import { type ToolOutput, text, tool } from '#lib/spec/tool'
import { type DatabaseReading, databaseArgument, openDatabase, refusalOf } from './database'
import { type TableName, tablesOf } from './database-schema'

/** Tables past this number are listed without a row count. */
const countedTables = 100

export const listTables = tool({
  name: 'schema.list_tables',
  label: 'List tables',
  group: 'Data',
  keywords: ['database', 'schema', 'sql'],
  description: 'Lists the tables and views of a database with their number of rows. Call this first.',
  icon: 'table-2',
  risk: 'read',
  input: z.object({ database: databaseArgument }),
  async run({ database }, context) {
    const opened = await openDatabase(database, context)
    if ('refusal' in opened) return opened.refusal
    const found = await tablesOf(opened.reading)
    if ('refusal' in found) return found.refusal
    if (found.tables.length === 0) return text('The database has no tables.')
    return opened.reading.dialect === 'sqlite'
      ? withCounts(opened.reading, found.tables)
      : withEstimates(found.tables)
  },
})

/** Counting the rows of a server's tables could take long, so its own estimates are given. */
function withEstimates(tables: readonly TableName[]): ToolOutput {
  const rows = tables.map(({ name, kind, estimatedRows }) => [name, kind, estimatedRows ?? null])
  const note =
    'This is a PostgreSQL database: write statements in its dialect. Numbers of rows are estimates.'
  return {
    ok: true,
    blocks: [
      { type: 'table', columns: ['table', 'kind', 'rows'], rows },
      { type: 'text', text: note },
    ],
  }
}

async function withCounts(reading: DatabaseReading, tables: readonly TableName[]): Promise<ToolOutput> {
  const counts = new Map<string, number | string>()
  const toCount = tables.filter((each) => each.kind === 'table').slice(0, countedTables)
  if (toCount.length > 0) {
    const each = toCount.map((table) => `(select count(*) from ${table.sql})`)
    const answer = await reading.query({ sql: `select ${each.join(', ')}` })
    // Counting a huge database may time out; the table names are still useful.
    if (!answer.ok && answer.code !== 'timeout') return refusalOf(answer)
    const [found = []] = answer.ok ? answer.value.rows : []
    toCount.forEach(({ name }, index) => {
      const count = found[index]
      if (typeof count === 'number' || typeof count === 'string') counts.set(name, count)
    })
  }
  const rows = tables.map(({ name, kind }) => [name, kind, counts.get(name) ?? null])
  return { ok: true, blocks: [{ type: 'table', columns: ['table', 'kind', 'rows'], rows }] }
}
