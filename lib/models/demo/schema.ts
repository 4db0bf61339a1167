/**
 * The database schema as the demo has read it: tables and columns from observations, with nothing assumed.
 */
import type { JsonValue } from '#lib/spec/json'
import { type Rows, readRows } from './observation'
import type { Done } from './trail'
import { nameStems, sameWord, stem } from './words'

/**
 * `flag` is a yes-or-no number, `year` a number that is a year, `key` a column that identifies and joins
 * rows.
 */
export type ColumnKind = 'number' | 'text' | 'date' | 'year' | 'flag' | 'key'

export interface Column {
  readonly table: string
  readonly name: string
  readonly stems: readonly string[]
  readonly kind: ColumnKind
  readonly isPrimary: boolean
  /** The table and column of a foreign key, if the observation names them. */
  readonly references?: { readonly table: string; readonly column: string }
}

export interface Table {
  readonly name: string
  readonly stems: readonly string[]
  /** Empty if its columns could not be read. */
  readonly columns: readonly Column[]
}

const tableNames = ['table', 'table_name', 'name']
const columnNames = ['column', 'column_name', 'name', 'field']
const typeNames = ['type', 'data_type', 'column_type']
const referenceNames = ['references', 'foreign_key', 'fk']
const exampleNames = ['examples', 'example', 'sample', 'samples', 'values']

/** The names of tables in an observation, in its order; empty if it has none. */
export function tableNamesIn(text: string): string[] {
  const read = readRows(text)
  if (read === undefined) return /^[\w$.]+$/.test(text.trim()) ? [text.trim()] : []
  const at = columnAt(read, tableNames)
  return [...new Set(read.rows.map((row) => row[at ?? 0]).filter((each) => typeof each === 'string'))]
}

/** The columns of one table in an observation that may list several tables. */
export function columnsIn(call: Done, table: string): Column[] {
  const read = readRows(call.text)
  if (read === undefined) return []
  const tableAt = columnAt(read, ['table', 'table_name'])
  const nameAt = columnAt(read, columnNames) ?? 0
  const cell = (row: readonly JsonValue[], names: readonly string[]) =>
    textOf(row[columnAt(read, names) ?? -1])
  const rows = tableAt === undefined ? read.rows : read.rows.filter((row) => row[tableAt] === table)
  return rows.flatMap((row) => {
    const name = row[nameAt]
    if (typeof name !== 'string' || name === '') return []
    return [
      column({
        table,
        name,
        type: cell(row, typeNames),
        primary: /^(primary|pk|pri|true|1|yes)/i.test(cell(row, ['key', 'primary', 'primary_key', 'pk'])),
        references: cell(row, referenceNames),
        examples: cell(row, exampleNames),
      }),
    ]
  })
}

function columnAt(read: Rows, names: readonly string[]): number | undefined {
  const lower = read.columns.map((each) => each.toLowerCase())
  const found = names.map((each) => lower.indexOf(each)).find((each) => each >= 0)
  return found
}

function textOf(value: JsonValue | undefined): string {
  return value === undefined || value === null ? '' : String(value)
}

interface Described {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly primary: boolean
  readonly references: string
  readonly examples: string
}

function column({ table, name, type, primary, references, examples }: Described): Column {
  const stems = nameStems(name)
  const [, target, key] = /^"?([^".]+)"?\.?"?([^"]*)"?$/.exec(references) ?? []
  return {
    table,
    name,
    stems,
    kind: kindOf({ stems, type, examples, keyed: primary || references !== '' }),
    isPrimary: primary,
    ...(target === undefined
      ? {}
      : { references: { table: target, column: key === undefined || key === '' ? name : key } }),
  }
}

const dateWords = [
  'date',
  'day',
  'time',
  'datetime',
  'timestamp',
  'on',
  'at',
  'since',
  'until',
  'born',
  'birthday',
]

function kindOf({
  stems,
  type,
  examples,
  keyed,
}: {
  stems: readonly string[]
  type: string
  examples: string
  keyed: boolean
}): ColumnKind {
  const last = stems.at(-1) ?? ''
  if (keyed || ['id', 'key', 'uuid', 'guid'].includes(last)) return 'key'
  if (/bool/i.test(type)) return 'flag'
  const isNumber =
    /int|real|num|dec|float|double|money/i.test(type) ||
    (type === '' && /^-?\d/.test(examples) && !isoDate.test(examples))
  if (isNumber) {
    if (last === 'year') return 'year'
    const first = stems[0] ?? ''
    return ['is', 'has', 'was'].includes(first) && /^[01, ]*$/.test(examples) ? 'flag' : 'number'
  }
  if (/date|time/i.test(type) || isoDate.test(examples)) return 'date'
  return dateWords.includes(last) && (examples === '' || isoDate.test(examples)) ? 'date' : 'text'
}

const isoDate = /^(NULL, )?\d{4}-\d{2}/

/**
 * Whether the column is the table's own key: marked as such, `id`, or `<table>_id`; else the first
 * column, if it is a key without a reference.
 */
export function isOwnKey(each: Column, table: Table): boolean {
  if (each.isPrimary) return table.columns.filter((other) => other.isPrimary).length === 1
  if (table.columns.some((other) => other.isPrimary) || each.kind !== 'key') return false
  const own = (other: Column) =>
    other.stems.length === 1 ? other.stems[0] === 'id' : namesTable(other.stems.slice(0, -1), table)
  const named = table.columns.find((other) => other.kind === 'key' && own(other))
  return named === undefined ? table.columns[0] === each && each.references === undefined : named === each
}

/** Whether words name the table: all of its words, or its last one. */
export function namesTable(stems: readonly string[], table: Table): boolean {
  const same =
    stems.length === table.stems.length &&
    stems.every((each, index) => sameWord(each, table.stems[index] ?? ''))
  return (
    same || (stems.length === 1 && table.stems.length === 1 && sameWord(stems[0] ?? '', table.stems[0] ?? ''))
  )
}

/**
 * The columns that people identify a row by: its name or title, or first and last name. Empty if there are
 * none.
 */
export function labelColumns(table: Table): Column[] {
  const text = table.columns.filter((each) => each.kind === 'text')
  const at = (...names: string[]) => text.find((each) => names.includes(each.stems.join('_')))
  const own = text.find(
    (each) =>
      namesTable(each.stems, table) ||
      (['name', 'title'].includes(each.stems.at(-1) ?? '') && namesTable(each.stems.slice(0, -1), table)),
  )
  const whole = at('name', 'title', 'label', 'full_name') ?? own
  if (whole !== undefined) return [whole]
  const given = at('first_name', 'given_name', 'firstname', 'forename')
  const family = at('last_name', 'family_name', 'lastname', 'surname')
  if (given !== undefined && family !== undefined) return [given, family]
  const other =
    text.find((each) => each.stems.at(-1) === 'name') ?? at('description', 'subject', 'username', 'email')
  return other === undefined ? [] : [other]
}

export function tableOf(name: string, columns: readonly Column[]): Table {
  return { name, stems: nameStems(name).map(stem), columns }
}
