/**
 * The tool `sql.execute`: runs one read statement on a registered database and returns its rows as a table.
 */
import { z } from 'zod'
import type { Block } from '#lib/spec/message'
import { tool } from '#lib/spec/tool'
import { databaseArgument, openDatabase, refusalOf } from './database'

const maxRows = 1_000

export const executeSql = tool({
  name: 'sql.execute',
  label: 'Execute SQL',
  group: 'Data',
  keywords: ['database', 'query', 'select', 'table', 'sqlite', 'rows', 'insert', 'update'],
  description:
    'Runs one read-only SQLite statement (SELECT, WITH … SELECT or VALUES) and returns its rows. Use only tables and columns you have read with the schema tools.',
  icon: 'database',
  risk: 'read',
  samples: [
    'Which country brought the most revenue, and how much?',
    'How many customers are there?',
    'What is the average unit price by category?',
  ],
  input: z.object({
    sql: z
      .string()
      .min(1)
      .max(100_000)
      .meta({ title: 'SQL', description: 'One statement in SQLite’s dialect.', format: 'multiline' }),
    database: databaseArgument,
    limit: z
      .int()
      .min(1)
      .max(maxRows)
      .default(100)
      .meta({ title: 'Limit', description: 'At most this many rows come back.' }),
  }),
  async run({ sql, database, limit }, context) {
    const opened = openDatabase(database, context)
    if ('refusal' in opened) return opened.refusal
    const answer = await opened.reading.query({ sql, maxRows: limit })
    if (!answer.ok) return refusalOf(answer)
    const { columns, rows, truncated } = answer.value
    const blocks: Block[] = [{ type: 'table', columns: [...columns], rows: rows.map((row) => [...row]) }]
    if (truncated) blocks.push({ type: 'text', text: cutNote(rows.length, limit) })
    return { ok: true, blocks, metadata: { database: opened.name, rows: rows.length, truncated } }
  },
})

function cutNote(shown: number, limit: number): string {
  if (shown >= limit)
    return `Only the first ${shown} ${shown === 1 ? 'row is' : 'rows are'} shown; there are more.`
  return `Only the first ${shown} rows are shown, or long values are cut: the answer is too large. Ask for less.`
}
