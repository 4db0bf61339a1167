/** Turns the cells of a sheet into a table: which row names the columns, and the type of each column. */
import type { ColumnType, TableColumn, TableHead, TableRow, TableValue } from '#lib/spec/tables'
import { documentLimits, Unreadable } from './document-wire'

/** A cell as the file has it; `{ error }` is a cell that shows an error. */
export type Cell = string | number | boolean | Date | { readonly error: string } | null

export interface SheetRow {
  /** Counted from 1. */
  readonly number: number
  readonly cells: readonly Cell[]
}

/** What a kind of file says about its cells. */
export interface CellReading {
  /** The type of a cell that has a value. */
  typeOf(cell: Exclude<Cell, null>): ColumnType
  /** The value of a cell in a column of this type. */
  valueOf(cell: Exclude<Cell, null>, type: ColumnType): TableValue
  /** Whether lines above the table, such as a title, are left out. */
  readonly skipsTitles: boolean
}

export interface ShapedTable {
  readonly head: Omit<TableHead, 'sheet' | 'hidden'>
  /** Made one by one, so that a large table is not in memory twice. */
  rows(): Generator<TableRow>
}

const isError = (cell: Cell): boolean => typeof cell === 'object' && cell !== null && 'error' in cell
const isFilled = (cell: Cell | undefined): cell is Exclude<Cell, null> =>
  cell !== null && cell !== undefined && cell !== ''

/** Throws `Unreadable` for a table with more cells than may be read. */
export function shapeTable(given: readonly SheetRow[], reading: CellReading): ShapedTable {
  const rows = given.filter((row) => row.cells.some(isFilled))
  const used = usedColumns(rows)
  const top = reading.skipsTitles ? titleLines(rows, used.length) : 0
  const first = rows[top]
  const header = first !== undefined && holdsNames(first, reading) ? first : undefined
  const data = rows.slice(top + (header === undefined ? 0 : 1))
  if (data.length * used.length > documentLimits.cells) throw tooManyCells()
  const { types, errorCells } = typesOf(data, used, reading)
  const names = uniqueNames(used.map((column) => nameOf(header?.cells[column], column)))
  return {
    head: {
      columns: names.map((name, index): TableColumn => ({ name, type: types[index] ?? 'text' })),
      headerRow: header?.number ?? null,
      rowCount: data.length,
      errorCells,
    },
    *rows() {
      for (const { cells } of data)
        yield used.map((column, index) => {
          const cell = cells[column]
          return isFilled(cell) && !isError(cell) ? reading.valueOf(cell, types[index] ?? 'text') : null
        })
    },
  }
}

export function tooManyCells(): Unreadable {
  const most = documentLimits.cells.toLocaleString('en')
  return new Unreadable('too_large', `The file has more than ${most} cells, the limit for reading tables.`)
}

/** The columns in which any row has a value, from left to right. */
function usedColumns(rows: readonly SheetRow[]): number[] {
  const used = new Set<number>()
  for (const { cells } of rows)
    cells.forEach((cell, column) => {
      if (isFilled(cell)) used.add(column)
    })
  return [...used].sort((a, b) => a - b)
}

/** At most this many lines above a table are taken for titles. */
const maxTitles = 10

/** The number of lines with a single value above the first line with more. */
function titleLines(rows: readonly SheetRow[], width: number): number {
  if (width < 2) return 0
  const first = rows.slice(0, maxTitles + 1).findIndex((row) => row.cells.filter(isFilled).length > 1)
  return Math.max(first, 0)
}

/** Whether the cells of a row are names of columns: texts alone, or a text followed by years. */
function holdsNames({ cells }: SheetRow, { typeOf }: CellReading): boolean {
  const filled = cells.filter(isFilled)
  if (filled.some(isError)) return false
  const [first, ...others] = filled
  if (first === undefined || typeOf(first) !== 'text') return false
  return others.every((cell) => typeOf(cell) === 'text') || others.every(isYear)
}

function isYear(cell: Cell): boolean {
  const number = typeof cell === 'string' ? Number(cell) : cell
  return typeof number === 'number' && Number.isInteger(number) && number >= 1900 && number <= 2100
}

function typesOf(
  rows: readonly SheetRow[],
  used: readonly number[],
  { typeOf }: CellReading,
): { types: ColumnType[]; errorCells: number } {
  const found: (ColumnType | undefined)[] = used.map(() => undefined)
  let errorCells = 0
  for (const { cells } of rows) {
    used.forEach((column, index) => {
      const cell = cells[column]
      if (!isFilled(cell)) return
      if (isError(cell)) errorCells += 1
      else found[index] = common(found[index], typeOf(cell))
    })
  }
  return { types: found.map((type) => type ?? 'text'), errorCells }
}

/** The type of a column that has values of both types. */
function common(one: ColumnType | undefined, other: ColumnType): ColumnType {
  if (one === undefined || one === other) return other
  const both = new Set([one, other])
  if (both.has('integer') && both.has('number')) return 'number'
  if (both.has('date') && both.has('datetime')) return 'datetime'
  return 'text'
}

const longestName = 200

function nameOf(cell: Cell | undefined, column: number): string {
  const text = isFilled(cell) && !isError(cell) ? String(cell).replace(/\s+/g, ' ').trim() : ''
  return text.slice(0, longestName) || columnLetters(column)
}

/** Names that occur twice get a number; upper and lower case count as equal, since databases take them so. */
function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>()
  const counts = new Map<string, number>()
  return names.map((name) => {
    const key = name.toLowerCase()
    let unique = name
    for (let count = counts.get(key) ?? 1; taken.has(unique.toLowerCase()); count += 1) {
      unique = `${name} (${count + 1})`
      counts.set(key, count + 1)
    }
    taken.add(unique.toLowerCase())
    return unique
  })
}

/** The letters by which spreadsheets name a column that is counted from 0: A to Z, AA and so on. */
export function columnLetters(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26))
  return column < 26 ? letter : columnLetters(Math.floor(column / 26) - 1) + letter
}
