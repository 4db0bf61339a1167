/** The tool `sql.auto_fix_columns`: puts the right names of tables and columns into a statement. */
import { z } from 'zod'
import { tool } from '#lib/spec/tool'
import { databaseOrFileArgument, openDatabase, statementArgument } from './database'
import { findNames } from './sql-names'
import { faultWords, nameFacts, nameWords } from './sql-report'

export const sqlAutoFixColumns = tool({
  name: 'sql.auto_fix_columns',
  label: 'Fix columns',
  group: 'Data',
  keywords: ['database', 'repair', 'correct', 'names', 'tables', 'sql', 'misspelt'],
  description:
    'Corrects misspelt tables and columns in one SELECT and returns the statement; it does not run it. A name is replaced only where one name of the database is clearly meant; the others are listed.',
  icon: 'replace',
  risk: 'read',
  input: z.object({ sql: statementArgument, database: databaseOrFileArgument }),
  async run({ sql, database }, context) {
    const opened = await openDatabase(database, context)
    if ('refusal' in opened) return opened.refusal
    const found = await findNames(opened.reading, sql)
    if ('refusal' in found) return found.refusal
    const { names, failure } = found
    const changes = names.filter(({ fix }) => fix !== undefined)
    const open = names.filter(({ fix }) => fix === undefined)
    const parts = [
      `${changes.length === 0 ? 'Nothing was changed:' : 'Corrected:'}\n\n${found.sql}`,
      changes.map(({ name, fix }) => `- ${name} is now ${fix}.`).join('\n'),
      open.map(nameWords).join('\n'),
      failure === undefined ? '' : faultWords(found.sql, failure),
    ]
    const text = parts.filter((each) => each !== '').join('\n\n')
    const metadata = {
      ...{ database: opened.name, sql: found.sql, names: nameFacts(found) },
      valid: open.length === 0 && failure === undefined,
    }
    return { ok: true, blocks: [{ type: 'text', text }], metadata }
  },
})
