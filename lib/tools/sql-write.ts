/**
 * The tool `sql.write`: runs one statement that changes rows, in a transaction of its own, on a database for which a
 * person has set up a connection that may write.
 */
import { z } from 'zod'
import type { Block } from '#lib/spec/message'
import type { SqlWritten } from '#lib/spec/sql'
import { type ToolOutput, tool } from '#lib/spec/tool'
import { chooseDatabase, databaseArgument, refusalOf } from './database'

const maxChanged = 1_000_000

export const sqlWrite = tool({
  name: 'sql.write',
  label: 'Write SQL',
  group: 'Data',
  keywords: ['database', 'insert', 'update', 'delete', 'merge', 'change', 'rows', 'postgresql', 'sqlite'],
  description:
    'Runs one INSERT, UPDATE, DELETE or MERGE in a transaction of its own and returns how many rows it changed, with the rows of a RETURNING clause. Works only on databases that are set up for writing. A person is asked first.',
  icon: 'square-pen',
  risk: 'write',
  asksFirst: true,
  input: z.object({
    sql: z.string().min(1).max(100_000).meta({
      title: 'SQL',
      description: 'One statement that changes rows, in the dialect of the database.',
      format: 'multiline',
    }),
    database: databaseArgument,
    limit: z.int().min(1).max(maxChanged).default(100).meta({
      title: 'Most rows',
      description: 'A statement that would change more rows than this is undone.',
    }),
  }),
  async run({ sql, database, limit }, { ports, signal, inLine }) {
    const chosen = chooseDatabase(ports.sql, database)
    if ('refusal' in chosen) return chosen.refusal
    const { name } = chosen
    const answer = await ports.sql.write({ database: name, sql, maxChanged: limit, inLine }, signal)
    // A change is never tried again, not even where that would be safe.
    if (!answer.ok) return { ...refusalOf(answer), retryable: false }
    return changed(name, answer)
  },
})

function changed(database: string, { changed: count, value }: Extract<SqlWritten, { ok: true }>): ToolOutput {
  const text = count === 1 ? 'One row was changed.' : `${count} rows were changed.`
  const rows: Block[] =
    value.columns.length === 0
      ? []
      : [{ type: 'table', columns: [...value.columns], rows: value.rows.map((row) => [...row]) }]
  const cut: Block[] = value.truncated
    ? [{ type: 'text', text: `Only the first ${value.rows.length} rows are shown.` }]
    : []
  return {
    ok: true,
    blocks: [{ type: 'text', text }, ...rows, ...cut],
    metadata: { database, changed: count },
  }
}
