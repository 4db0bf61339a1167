/** The tool `sql.validate`: lets the database read a statement without running it, and says where a mistake is. */
import { z } from 'zod'
import { placeIn } from '#lib/spec/sql-text'
import { tool } from '#lib/spec/tool'
import { databaseOrFileArgument, openDatabase, refusalOf, statementArgument } from './database'
import { dialectNames, faultWords } from './sql-report'

/** Failures that say something about the statement, rather than about the database. */
const aboutStatement = new Set(['sql_error', 'not_one_read'])

export const sqlValidate = tool({
  name: 'sql.validate',
  label: 'Validate SQL',
  group: 'Data',
  keywords: ['database', 'check', 'syntax', 'query', 'postgresql', 'sqlite'],
  description:
    'Checks one SELECT without running it: whether the database can read it, which columns it returns, and otherwise the line and column of the mistake.',
  icon: 'circle-check',
  risk: 'read',
  input: z.object({ sql: statementArgument, database: databaseOrFileArgument }),
  async run({ sql, database }, context) {
    const opened = await openDatabase(database, context)
    if ('refusal' in opened) return opened.refusal
    const { name, reading } = opened
    const checked = await reading.check(sql)
    const about = { database: name, dialect: reading.dialect }
    if (checked.ok) {
      const text = `Valid in the dialect of ${dialectNames[reading.dialect]}. It returns: ${checked.columns.join(', ')}.`
      return { ok: true, blocks: [{ type: 'text', text }], metadata: { ...about, valid: true } }
    }
    if (!aboutStatement.has(checked.code)) return refusalOf(checked)
    const place = checked.offset === undefined ? {} : placeIn(sql, checked.offset)
    return {
      ok: true,
      blocks: [{ type: 'text', text: faultWords(sql, checked) }],
      metadata: { ...about, valid: false, ...place },
    }
  },
})
