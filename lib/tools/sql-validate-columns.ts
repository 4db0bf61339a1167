/** The tool `sql.validate_columns`: which tables and columns of a statement the database does not have. */
import { z } from 'zod'
import { tool } from '#lib/spec/tool'
import { databaseOrFileArgument, openDatabase, statementArgument } from './database'
import { findNames } from './sql-names'
import { faultWords, nameFacts, nameWords } from './sql-report'

export const sqlValidateColumns = tool({
  name: 'sql.validate_columns',
  label: 'Validate columns',
  group: 'Data',
  keywords: ['database', 'check', 'names', 'tables', 'schema', 'sql', 'misspelt'],
  description:
    'Checks the names in one SELECT without running it: lists every table and column that the database does not have, with the names that are nearest.',
  icon: 'columns-3',
  risk: 'read',
  input: z.object({ sql: statementArgument, database: databaseOrFileArgument }),
  async run({ sql, database }, context) {
    const opened = await openDatabase(database, context)
    if ('refusal' in opened) return opened.refusal
    const found = await findNames(opened.reading, sql)
    if ('refusal' in found) return found.refusal
    const { names, failure } = found
    const lines = names.map(nameWords)
    if (failure !== undefined) lines.push(faultWords(found.sql, failure))
    const text = lines.length === 0 ? 'Every table and column is there.' : lines.join('\n')
    const metadata = { database: opened.name, valid: lines.length === 0, names: nameFacts(found) }
    return { ok: true, blocks: [{ type: 'text', text }], metadata }
  },
})
