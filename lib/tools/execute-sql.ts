/**
 * The tool `sql.execute`: runs one read statement on a registered database, or on a file of tables, and
 * returns its rows as a table.
 */
import { z } from 'zod'
import type { Block } from '#lib/spec/message'
import type { SqlCsv, SqlFailure } from '#lib/spec/sql'
import { placeIn } from '#lib/spec/sql-text'
import { type ToolContext, tool } from '#lib/spec/tool'
import { databaseArgument, openDatabase, type ReadRefusal, refusalOf } from './database'

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
    const opened = await openDatabase(database, context)
    if ('refusal' in opened) return opened.refusal
    const answer = await opened.reading.query({ sql, maxRows: limit, wantsCsv: true })
    if (!answer.ok) return placed(sql, answer)
    const { columns, rows, truncated, csv } = answer.value
    const blocks: Block[] = [{ type: 'table', columns: [...columns], rows: rows.map((row) => [...row]) }]
    const kept = csv && (await keepCsv(csv, context))
    if (truncated) blocks.push({ type: 'text', text: `${cutNote(rows.length, limit)}${kept ?? ''}` })
    return { ok: true, blocks, metadata: { database: opened.name, rows: rows.length, truncated } }
  },
})

/** A failure with the line and column of the mistake, unless that is the beginning. */
function placed(sql: string, failure: SqlFailure): ReadRefusal {
  const refusal = refusalOf(failure)
  if (failure.code !== 'sql_error' || failure.offset === undefined || !sql.includes('\n')) return refusal
  const { line, column } = placeIn(sql, failure.offset)
  return { ...refusal, message: `${refusal.message} (line ${line}, column ${column})` }
}

/** Keeps the longer part of an answer as a file, and says so; undefined where nothing is kept. */
async function keepCsv(csv: SqlCsv, { ports, created }: ToolContext): Promise<string | undefined> {
  const artifact = await ports.artifacts.keep({
    name: 'rows.csv',
    mediaType: 'text/csv',
    content: csv.text,
  })
  if (artifact === undefined) return undefined
  created(artifact)
  const rows = csv.truncated ? `The first ${csv.rows} rows` : `All ${csv.rows} rows`
  return ` ${rows} are kept for people as the file ${artifact.name}.`
}

function cutNote(shown: number, limit: number): string {
  if (shown >= limit)
    return `Only the first ${shown} ${shown === 1 ? 'row is' : 'rows are'} shown; there are more.`
  return `Only the first ${shown} rows are shown, or long values are cut: the answer is too large. Ask for less.`
}
