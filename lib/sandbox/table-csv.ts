/** Reads CSV files: their delimiter and the types of their values; runs in the child process. */
import { detectDelimiter } from 'hucre/csv'
import Papa from 'papaparse'
import type { ColumnType, TableValue } from '#lib/spec/tables'
import { documentLimits, Unreadable } from './document-wire'
import { type Cell, type CellReading, type SheetRow, tooManyCells } from './table-shape'

/** The delimiter is found in the lines at the beginning. */
const sampleChars = 65_536
const longestCell = 1_000_000

/** Throws `Unreadable` for more cells than may be read. */
export function readCsv(text: string): { rows: SheetRow[]; delimiter: string } {
  const rows: SheetRow[] = []
  const delimiter = detectDelimiter(text.slice(0, sampleChars))
  let cells = 0
  Papa.parse<string[]>(text, {
    delimiter,
    step: ({ data }) => {
      cells += data.length
      if (cells > documentLimits.cells) throw tooManyCells()
      if (data.some((cell) => cell.length > longestCell))
        throw new Unreadable(
          'too_large',
          `A cell of the file has more than ${longestCell.toLocaleString('en')} characters. Its quotes may be unbalanced.`,
        )
      rows.push({ number: rows.length + 1, cells: data })
    },
  })
  return { rows, delimiter }
}

const shapes = {
  integer: /^[+-]?(0|[1-9]\d{0,14})$/,
  number: /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?$/,
  /** A comma before the decimals; points or spaces between the thousands. */
  commaNumber: /^[+-]?(\d+|\d{1,3}(\.\d{3})+|\d{1,3}([ \u00a0\u202f]\d{3})+)(,\d+)?$/,
  leadingZero: /^[+-]?0\d/,
  boolean: /^(true|false)$/i,
  date: /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/,
  datetime: /^\d{4}-\d\d-\d\d[T ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/,
  time: /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?$/,
}

/** How the texts of a file are read as values. Only files with `;` between the cells can have decimal commas. */
export function csvReading(rows: readonly SheetRow[], delimiter: string): CellReading {
  const hasCommas = delimiter === ';' && rows.some(({ cells }) => cells.some(isDecimalComma))
  const typeOf = (cell: Exclude<Cell, null>): ColumnType => textType(String(cell).trim(), hasCommas)
  return {
    typeOf,
    skipsTitles: false,
    valueOf(cell, type): TableValue {
      const text = String(cell).trim()
      switch (type) {
        case 'integer':
        case 'number':
          return numberIn(text, hasCommas)
        case 'boolean':
          return text.toLowerCase() === 'true'
        case 'datetime':
          return shapes.date.test(text) ? `${text}T00:00:00` : text.replace(' ', 'T')
        case 'date':
        case 'time':
          return text
        case 'text':
          return String(cell)
        default:
          return type satisfies never
      }
    },
  }
}

function isDecimalComma(cell: Cell): boolean {
  return typeof cell === 'string' && cell.includes(',') && shapes.commaNumber.test(cell.trim())
}

function textType(text: string, hasCommas: boolean): ColumnType {
  if (shapes.boolean.test(text)) return 'boolean'
  if (shapes.date.test(text)) return 'date'
  if (shapes.datetime.test(text)) return 'datetime'
  if (shapes.time.test(text)) return 'time'
  // A number that starts with zeros is a code, such as a postcode.
  if (shapes.leadingZero.test(text) && !/[.,]/.test(text)) return 'text'
  if (shapes.integer.test(text)) return 'integer'
  if (hasCommas && shapes.commaNumber.test(text)) return 'number'
  return shapes.number.test(text) && Number.isFinite(Number(text)) && !isLong(text) ? 'number' : 'text'
}

/** Digits past those that a number keeps, as in the number of an account. */
function isLong(text: string): boolean {
  return /^[+-]?\d{16,}$/.test(text)
}

function numberIn(text: string, hasCommas: boolean): number {
  const isComma = hasCommas && shapes.commaNumber.test(text)
  const number = Number(isComma ? text.replace(/[. \u00a0\u202f]/g, '').replace(',', '.') : text)
  return number === 0 ? 0 : number
}
