/**
 * The tool `schema.list_tables`: lists the tables of a database with their row counts, the
 * first step of most questions.
 */
import { z } from 'zod'
import { type ToolOutput, text, tool } from '#lib/spec/tool'
import {
  type DatabaseReading,
  databaseArgument,
  openDatabase,
  quoteName,
  refusalOf,
  type TableName,
  tablesOf,
} from './database'

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
    const opened = openDatabase(database, context)
    if ('refusal' in opened) return opened.refusal
    const found = await tablesOf(opened.reading)
    if ('refusal' in found) return found.refusal
    if (found.tables.length === 0) return text('The database has no tables.')
    return withCounts(opened.reading, found.tables)
  },
})

async function withCounts(reading: DatabaseReading, tables: readonly TableName[]): Promise<ToolOutput> {
  const counts = new Map<string, number | string>()
  const toCount = tables.filter((each) => each.kind === 'table').slice(0, countedTables)
  if (toCount.length > 0) {
    const each = toCount.map(({ name }) => `(select count(*) from ${quoteName(name)})`)
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
