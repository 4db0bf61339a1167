/** The database schema as read from observations: tables and columns, with nothing assumed. */
import type { JsonValue } from '#lib/spec/json'
import { type Rows, readRows } from './observation'
import type { Done } from './trail'
import { areSameWords, nameStems } from './words'

/** `flag` is a yes-or-no number, `year` a number that is a year, `key` a column that identifies and joins rows. */
type ColumnKind = 'number' | 'text' | 'date' | 'year' | 'flag' | 'key'

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
  /** The column that identifies its rows. */
  readonly key: Column | undefined
  /** The columns by which people call its rows: a name or title, or first and last name; or none. */
  readonly label: readonly Column[]
}

/** What the columns of an observation may be called. */
const headings = {
  table: ['table', 'table_name'],
  column: ['column', 'column_name', 'name', 'field'],
  type: ['type', 'data_type', 'column_type'],
  key: ['key', 'primary', 'primary_key', 'pk'],
  references: ['references', 'foreign_key', 'fk'],
  examples: ['examples', 'example', 'sample', 'samples', 'values'],
}

function indexOfHeading({ columns }: Rows, names: readonly string[]): number {
  const lower = columns.map((each) => each.toLowerCase())
  return names.map((each) => lower.indexOf(each)).find((each) => each >= 0) ?? -1
}

/** The names of tables in an observation, in its order; empty if it has none. */
export function readTableNames(text: string): string[] {
  const read = readRows(text)
  if (read === undefined) return /^[\w$.]+$/.test(text.trim()) ? [text.trim()] : []
  const at = Math.max(0, indexOfHeading(read, [...headings.table, 'name']))
  return [...new Set(read.rows.map((row) => row[at]).filter((each) => typeof each === 'string'))]
}

/** A table and its columns, in an observation that may list several tables. */
export function readTable(name: string, { text, isError }: Done): Table {
  const read = isError ? undefined : readRows(text)
  const columns = read === undefined ? [] : read.rows.flatMap((row) => readColumn(name, read, row))
  const stems = nameStems(name)
  return { name, stems, columns, key: ownKey(stems, columns), label: labelColumns(stems, columns) }
}

function readColumn(table: string, read: Rows, row: readonly JsonValue[]): Column[] {
  const cell = (heading: keyof typeof headings) => String(row[indexOfHeading(read, headings[heading])] ?? '')
  const name = indexOfHeading(read, headings.column) < 0 ? row[0] : cell('column')
  const isOther = indexOfHeading(read, headings.table) >= 0 && cell('table') !== table
  if (isOther || typeof name !== 'string' || name === '') return []
  const isPrimary = /^(primary|pk|pri|true|1|yes)/i.test(cell('key'))
  const [, target, column] = /^"?([^".]+)"?\.?"?([^"]*)"?$/.exec(cell('references')) ?? []
  const references = target === undefined ? undefined : { table: target, column: column || name }
  const stems = nameStems(name)
  const isKey = isPrimary || references !== undefined
  const kind = isKey ? 'key' : kindOf(stems, cell('type'), cell('examples'))
  return [{ table, name, stems, kind, isPrimary, references }]
}

const isoDate = /^(NULL, )?\d{4}-\d{2}/

function kindOf(stems: readonly string[], type: string, examples: string): ColumnKind {
  const [first, last] = [stems[0] ?? '', stems.at(-1) ?? '']
  if (/^(id|key|uuid|guid)$/.test(last)) return 'key'
  if (/bool/i.test(type)) return 'flag'
  const hasNumbers = type === '' && /^-?\d/.test(examples) && !isoDate.test(examples)
  if (hasNumbers || /int|real|num|dec|float|double|money/i.test(type)) {
    if (last === 'year') return 'year'
    return /^(is|has|was)$/.test(first) && /^[01, ]*$/.test(examples) ? 'flag' : 'number'
  }
  const isDateName = /^(date|day|time|datetime|timestamp|on|at|since|until|born|birthday)$/.test(last)
  if (isoDate.test(examples) || /date|time/i.test(type) || (isDateName && examples === '')) return 'date'
  return 'text'
}

/** The column marked as primary, `id` or `<table>_id`; else the first, if it is a key without a reference. */
function ownKey(table: readonly string[], columns: readonly Column[]): Column | undefined {
  const primary = columns.filter((each) => each.isPrimary)
  if (primary.length > 0) return primary.length === 1 ? primary[0] : undefined
  const isNamed = ({ kind, stems }: Column) =>
    kind === 'key' && (stems.join() === 'id' || areSameWords(stems.slice(0, -1), table))
  const [first] = columns
  const isKey = first?.kind === 'key' && first.references === undefined
  return columns.find(isNamed) ?? (isKey ? first : undefined)
}

function labelColumns(table: readonly string[], columns: readonly Column[]): Column[] {
  const texts = columns.filter((each) => each.kind === 'text')
  const find = (name: RegExp) => texts.find((each) => name.test(each.stems.join('_')))
  const whole =
    find(/^(name|title|label|full_name)$/) ?? find(new RegExp(`^${table.join('_')}(_name|_title)?$`))
  const given = find(/^(first_?name|given_name|forename)$/)
  const family = find(/^(last_?name|family_name|surname)$/)
  if (whole === undefined && given !== undefined && family !== undefined) return [given, family]
  const label = whole ?? find(/(^|_)name$/) ?? find(/^(description|subject|username|email)$/)
  return label === undefined ? [] : [label]
}
