/**
 * The tool `sql.refine`: makes a statement ready to run. It corrects names, limits the rows, and says what the plan
 * of the database tells about its work.
 */
import { z } from 'zod'
import type { SqlDialect } from '#lib/spec/sql'
import { wordsOf } from '#lib/spec/sql-text'
import { tool } from '#lib/spec/tool'
import { databaseOrFileArgument, openDatabase, statementArgument } from './database'
import { findNames } from './sql-names'
import { planNotes } from './sql-plan'
import { faultWords, nameFacts, nameWords } from './sql-report'

export const sqlRefine = tool({
  name: 'sql.refine',
  label: 'Refine SQL',
  group: 'Data',
  keywords: ['database', 'improve', 'optimise', 'plan', 'explain', 'limit', 'index'],
  description:
    'Makes one SELECT ready to run and returns it: corrects misspelt tables and columns, adds a limit where there is none, and says what the plan of the database tells, such as which tables are read whole. It does not run the statement.',
  icon: 'list-checks',
  risk: 'read',
  input: z.object({
    sql: statementArgument,
    database: databaseOrFileArgument,
    limit: z
      .int()
      .min(1)
      .max(1_000)
      .default(100)
      .meta({ title: 'Limit', description: 'The limit that is added where the statement has none.' }),
  }),
  async run({ sql, database, limit }, context) {
    const opened = await openDatabase(database, context)
    if ('refusal' in opened) return opened.refusal
    const { name, reading } = opened
    const found = await findNames(reading, sql)
    if ('refusal' in found) return found.refusal
    const { names, failure } = found
    const open = names.filter(({ fix }) => fix === undefined)
    if (failure !== undefined || open.length > 0) {
      const lines = [...open.map(nameWords), ...(failure ? [faultWords(found.sql, failure)] : [])]
      return {
        ok: false,
        code: 'sql_error',
        message: `The statement cannot be refined yet.\n${lines.join('\n')}`,
      }
    }
    const limited = withLimit(found.sql, limit, reading.dialect)
    const notes = [
      ...names.map(({ name: wrong, fix }) => `${wrong} is now ${fix}.`),
      ...(limited === found.sql ? [] : [`It returns at most ${limit} rows.`]),
      ...(await planNotes(reading, limited)),
    ]
    const list = notes.map((each) => `- ${each}`).join('\n')
    const metadata = { database: name, sql: limited, names: nameFacts(found) }
    return { ok: true, blocks: [{ type: 'text', text: `${limited}\n\n${list}`.trim() }], metadata }
  },
})

/** The statement with a limit at its end, unless it has one or is not a query. */
function withLimit(sql: string, limit: number, dialect: SqlDialect): string {
  const words = wordsOf(sql, dialect)
  const close = words.find(({ kind }) => kind === 'end')?.start ?? sql.length
  const inside = words.filter(({ start }) => start < close)
  let depth = 0
  let isLimited = false
  for (const { start, end, kind } of inside) {
    const text = sql.slice(start, end).toLowerCase()
    if (text === '(') depth += 1
    else if (text === ')') depth -= 1
    else if (kind === 'word' && depth === 0) isLimited ||= text === 'limit' || text === 'fetch'
  }
  const [first] = inside
  const opening = first === undefined ? '' : sql.slice(first.start, first.end).toLowerCase()
  const statement = sql.slice(0, inside.at(-1)?.end ?? 0)
  return isLimited || opening === 'explain' || opening === 'table'
    ? statement
    : `${statement}\nLIMIT ${limit}`
}
