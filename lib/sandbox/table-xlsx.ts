/** Reads the sheets of an XLSX workbook; runs in the child process. */
import { unzipSync } from 'fflate'
import { EncryptedFileError } from 'hucre'
import { readXlsx, streamXlsxRows } from 'hucre/xlsx'
import type { ColumnType, TableValue } from '#lib/spec/tables'
import { documentLimits, mebibyte, Unreadable } from './document-wire'
import { type Cell, type CellReading, type SheetRow, tooManyCells } from './table-shape'

export interface SheetInfo {
  readonly name: string
  readonly index: number
  readonly hidden: boolean
}

/**
 * The names of the parts of the archive. Throws `Unreadable` when they are larger in all than may be unpacked.
 */
export function checkUnpacked(bytes: Uint8Array): string[] {
  const names: string[] = []
  let total = 0
  // Nothing is unpacked: the filter only sees the sizes that the archive declares.
  unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      names.push(name)
      total += originalSize
      return false
    },
  })
  if (total > documentLimits.unpackedBytes)
    throw new Unreadable(
      'too_large',
      `The file unpacks to more than ${documentLimits.unpackedBytes / mebibyte} MiB, the limit for reading it.`,
    )
  return names
}

/** The sheets in the order of the workbook. */
export async function sheetsOf(bytes: Uint8Array): Promise<SheetInfo[]> {
  const sheets: SheetInfo[] = []
  try {
    await readXlsx(bytes, {
      sheets: ({ name, index, hidden, veryHidden }) => {
        sheets.push({ name, index, hidden: hidden === true || veryHidden === true })
        return false
      },
    })
  } catch (error) {
    if (error instanceof EncryptedFileError)
      throw new Unreadable('encrypted', 'The file is protected by a password.')
    throw error
  }
  return sheets
}

export function unknownSheet(name: string, names: readonly string[]): Unreadable {
  return new Unreadable(
    'unknown_sheet',
    `The file has no sheet "${name}". Its sheets are: ${names.map((each) => `"${each}"`).join(', ')}.`,
  )
}

/** Counts cells over all sheets of a file, up to the limit. */
export class CellCount {
  private cells = 0

  add(more: number): void {
    this.cells += more
    if (this.cells > documentLimits.cells) throw tooManyCells()
  }
}

/** The rows of a sheet that have values. A sheet that is a chart has none. */
export async function* rowsOf(
  bytes: Uint8Array,
  { index }: SheetInfo,
  count: CellCount,
): AsyncGenerator<SheetRow> {
  const rows = streamXlsxRows(bytes, { sheet: index })
  for (;;) {
    const next = await rows.next().catch(passChart)
    if (next === undefined || next.done) return
    const { index: row, values } = next.value
    const cells = values.map(toCell)
    const filled = cells.filter((cell) => cell !== null && cell !== '').length
    count.add(filled)
    if (filled > 0) yield { number: row + 1, cells }
  }
}

/** A sheet without cells of its own, such as a chart, is reported by the library as a missing one. */
function passChart(error: unknown): undefined {
  if (error instanceof Error && error.message.includes('missing worksheet file')) return undefined
  throw error
}

const errorText = /^#(N\/A|DIV\/0!|VALUE!|REF!|NAME\?|NUM!|NULL!|SPILL!|CALC!|GETTING_DATA)$/

function toCell(value: unknown): Cell {
  if (value === null || typeof value === 'number' || typeof value === 'boolean' || value instanceof Date)
    return value
  const text = String(value)
  return errorText.test(text) ? { error: text } : text
}

/** A time of the day without a date is stored as a moment of the day before 1 January 1900. */
const firstDay = Date.UTC(1900, 0, 1)

export const xlsxReading: CellReading = { typeOf, valueOf: cellValue, skipsTitles: true }

function typeOf(cell: Exclude<Cell, null>): ColumnType {
  if (typeof cell === 'boolean') return 'boolean'
  if (typeof cell === 'number') return Number.isSafeInteger(cell) ? 'integer' : 'number'
  if (!(cell instanceof Date)) return 'text'
  const moment = wholeSecond(cell)
  if (moment < firstDay) return 'time'
  return moment % 86_400_000 === 0 ? 'date' : 'datetime'
}

function cellValue(cell: Exclude<Cell, null>, type: ColumnType): TableValue {
  if (type === 'datetime' && cell instanceof Date) return iso(cell, 'datetime')
  if (type !== 'text' && !(cell instanceof Date) && typeof cell !== 'object') return cell === 0 ? 0 : cell
  return shownCell(cell)
}

/** The cell as a text. */
export function shownCell(cell: Exclude<Cell, null>): string {
  if (cell instanceof Date) return iso(cell, typeOf(cell))
  if (typeof cell === 'object') return cell.error
  // The number of digits that spreadsheets keep.
  return typeof cell === 'number' ? String(Number(cell.toPrecision(15))) : String(cell)
}

function iso(date: Date, type: ColumnType): string {
  const text = new Date(wholeSecond(date)).toISOString().replace(/(\.000)?Z$/, '')
  if (type === 'date') return text.slice(0, 10)
  return type === 'time' ? text.slice(11) : text
}

/** Days are stored as fractions, which miss the second by up to a millisecond. */
function wholeSecond(date: Date): number {
  const second = Math.round(date.getTime() / 1_000) * 1_000
  return Math.abs(date.getTime() - second) <= 1 ? second : date.getTime()
}
