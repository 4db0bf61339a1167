/** The database schema as read from observations: tables and columns, with nothing assumed. */
import type { JsonValue } from '#lib/spec/json'
import { type Rows, readRows } from './observation'
import type { Done } from './trail'
import { nameStems } from './words'

/** `flag` is a yes-or-no number, `key` a column that identifies and joins rows. */
type ColumnKind = 'number' | 'text' | 'date' | 'flag' | 'key'

export interface Column {
  readonly table: string
  readonly name: string
  readonly stems: readonly string[]
  readonly kind: ColumnKind
  readonly isPrimary: boolean
  /** The table and column of a foreign key, if the observation names them. */
  readonly references?: { readonly table: string; readonly column: string }
}

export interface SqlTable {
  readonly name: string
  readonly stems: readonly string[]
  /** Empty if its columns could not be read. */
  readonly columns: readonly Column[]
  /** The column that alone identifies its rows. */
  readonly key: Column | undefined
  /** The column by which people call its rows. */
  readonly label: Column | undefined
}

/** A row's cell below the first of these headings that the observation has. */
function cellOf({ columns }: Rows, row: readonly JsonValue[], ...headings: string[]): string {
  const at = headings.map((each) => columns.indexOf(each)).find((each) => each >= 0) ?? -1
  return String(row[at] ?? '')
}

/** The names of tables in an observation, in its order; empty if it has none. */
export function readTableNames(text: string): string[] {
  const read = readRows(text)
  const names = read?.rows.map((row) => cellOf(read, row, 'table', 'name')) ?? []
  return [...new Set(names.filter((each) => each !== ''))]
}

export function readTable(name: string, { text, isError }: Done): SqlTable {
  const read = isError ? undefined : readRows(text)
  const columns = read?.rows.flatMap((row) => readColumn(name, read, row)) ?? []
  const primary = columns.filter((each) => each.isPrimary)
  const texts = columns.filter((each) => each.kind === 'text')
  const label = texts.find(({ stems }) => /^(name|title|label|subject|email)$/.test(stems.at(-1) ?? ''))
  return { name, stems: nameStems(name), columns, key: primary.length === 1 ? primary[0] : undefined, label }
}

function readColumn(table: string, read: Rows, row: readonly JsonValue[]): Column[] {
  const name = cellOf(read, row, 'column', 'name')
  if (name === '') return []
  const isPrimary = cellOf(read, row, 'key') === 'primary'
  const [, target, column] = /^([^.]+)\.?(.*)$/.exec(cellOf(read, row, 'references')) ?? []
  const references = target === undefined ? undefined : { table: target, column: column || name }
  const stems = nameStems(name)
  const isKey = isPrimary || references !== undefined
  const kind = isKey ? 'key' : kindOf(stems, cellOf(read, row, 'type'), cellOf(read, row, 'examples'))
  return [{ table, name, stems, kind, isPrimary, references }]
}

function kindOf(stems: readonly string[], type: string, examples: string): ColumnKind {
  if (/^(id|key)$/.test(stems.at(-1) ?? '')) return 'key'
  if (/int|real|num|dec|float|double/i.test(type))
    return /^(is|has|was)$/.test(stems[0] ?? '') ? 'flag' : 'number'
  return /date|time/i.test(type) || /^(NULL, )?\d{4}-\d{2}/.test(examples) ? 'date' : 'text'
}
