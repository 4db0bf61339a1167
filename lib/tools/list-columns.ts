/**
 * The tool `schema.list_columns`: lists the columns of tables with types, keys,
 * references and example values.
 */
import { z } from 'zod'
import type { JsonValue } from '#lib/spec/json'
import type { Block } from '#lib/spec/message'
import { refuse, tool } from '#lib/spec/tool'
import { type DatabaseReading, databaseArgument, openDatabase, type ReadRefusal } from './database'
import { columnsOf, type TableName, tablesOf } from './database-schema'

const maxTables = 20
/** The number of rows read for example values, so that no table is read as a whole. */
const exampleRows = 100
const shownExamples = 3
const exampleChars = 40

export const listColumns = tool({
  name: 'schema.list_columns',
  label: 'List columns',
  group: 'Data',
  keywords: ['database', 'schema', 'sql', 'fields'],
  description:
    'Lists the columns of one or more tables: name, type, primary key, what a foreign key references, and a few example values.',
  icon: 'columns-3',
  risk: 'read',
  input: z.object({
    tables: z
      .array(z.string().min(1).max(256))
      .max(maxTables)
      .optional()
      .meta({ title: 'Tables', description: 'Names of tables; all of them when left out.' }),
    table: z
      .string()
      .min(1)
      .max(256)
      .optional()
      .meta({ title: 'Table', description: 'A single table, in place of `tables`.' }),
    database: databaseArgument,
  }),
  async run({ tables = [], table, database }, context) {
    const opened = await openDatabase(database, context)
    if ('refusal' in opened) return opened.refusal
    const found = await tablesOf(opened.reading)
    if ('refusal' in found) return found.refusal
    const known = found.tables
    const asked = [...new Set(table === undefined ? tables : [...tables, table])]
    const named = resolveNames(known, asked)
    if ('unknown' in named) {
      const message = `There is no table "${named.unknown}". Tables: ${known.map(({ name }) => name).join(', ') || 'none'}.`
      return refuse(message, 'unknown_table')
    }
    const rows: JsonValue[][] = []
    for (const each of named.tables.slice(0, maxTables)) {
      const read = await describeTable(opened.reading, each)
      if ('refusal' in read) return read.refusal
      rows.push(...read.rows)
    }
    return { ok: true, blocks: blocksOf(rows, named.tables.length) }
  },
})

/** SQLite ignores case in names, and PostgreSQL in those without quotes, so this does too. */
function resolveNames(
  known: readonly TableName[],
  asked: readonly string[],
): { tables: readonly TableName[] } | { unknown: string } {
  if (asked.length === 0) return { tables: known }
  const byLower = new Map(known.map((each) => [each.name.toLowerCase(), each]))
  const tables: TableName[] = []
  for (const each of asked) {
    const table = byLower.get(each.toLowerCase())
    if (table === undefined) return { unknown: each }
    tables.push(table)
  }
  return { tables }
}

async function describeTable(
  reading: DatabaseReading,
  table: TableName,
): Promise<{ rows: JsonValue[][] } | { refusal: ReadRefusal }> {
  const columns = await columnsOf(reading, table)
  if ('refusal' in columns) return columns
  const examples = await examplesOf(reading, table)
  return { rows: columns.rows.map((column, index) => [table.name, ...column, examples[index] ?? '']) }
}

/** The first few distinct values of each column; empty if the table cannot be read in time (a slow view). */
async function examplesOf(reading: DatabaseReading, table: TableName): Promise<string[]> {
  const sql = `select * from ${table.sql} limit ${exampleRows}`
  const answer = await reading.query({ sql, timeoutMs: 1_000 })
  if (!answer.ok) return []
  return answer.value.columns.map((_, column) => {
    const values = new Set(answer.value.rows.map((row) => shorten(row[column] ?? null)))
    return [...values].slice(0, shownExamples).join(', ')
  })
}

function shorten(value: JsonValue): string {
  const text = value === null ? 'NULL' : typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text.length > exampleChars ? `${text.slice(0, exampleChars)}…` : text
}

function blocksOf(rows: JsonValue[][], tables: number): Block[] {
  const columns = ['table', 'column', 'type', 'key', 'references', 'examples']
  const blocks: Block[] = [{ type: 'table', columns, rows }]
  if (tables > maxTables) {
    const text = `Only the first ${maxTables} of ${tables} tables are described; name others in "tables".`
    blocks.push({ type: 'text', text })
  }
  return blocks
}
