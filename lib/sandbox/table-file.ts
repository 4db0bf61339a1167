/** The tables of a file, whatever kind it is of; runs in the child process. */
import type { TableRow } from '#lib/spec/tables'
import { type DocumentSaid, Unreadable } from './document-wire'
import { csvReading, readCsv } from './table-csv'
import { type ShapedTable, type SheetRow, shapeTable } from './table-shape'
import {
  CellCount,
  checkUnpacked,
  rowsOf,
  type SheetInfo,
  sheetsOf,
  unknownSheet,
  xlsxReading,
} from './table-xlsx'
import { decodeText } from './text-encoding'

/** Throws `Unreadable`, or errors of the libraries when the file is broken. */
export async function* tablesIn(bytes: Uint8Array, sheet: string | undefined): AsyncGenerator<DocumentSaid> {
  if (isZip(bytes)) return yield* workbookTables(bytes, sheet)
  if (isOldOffice(bytes))
    throw new Unreadable(
      'not_supported',
      'The file is in an old format of Office or is protected by a password. Save it as XLSX without a password.',
    )
  const decoded = decodeText(bytes)
  if (decoded === undefined)
    throw new Unreadable('not_supported', 'The file is neither an XLSX workbook nor CSV text.')
  if (sheet !== undefined && sheet !== csvSheet) throw unknownSheet(sheet, [csvSheet])
  const { rows, delimiter } = readCsv(decoded.text)
  yield* said({ name: csvSheet, hidden: false }, shapeTable(rows, csvReading(rows, delimiter)))
  yield { type: 'done', format: { kind: 'csv', encoding: decoded.encoding, delimiter } }
}

/** The name of the one table of a CSV file. */
const csvSheet = 'data'

async function* workbookTables(bytes: Uint8Array, wanted: string | undefined): AsyncGenerator<DocumentSaid> {
  checkUnpacked(bytes)
  const sheets = await sheetsOf(bytes)
  const chosen = wanted === undefined ? sheets : sheets.filter(({ name }) => name === wanted)
  if (wanted !== undefined && chosen.length === 0)
    throw unknownSheet(
      wanted,
      sheets.map(({ name }) => name),
    )
  const count = new CellCount()
  for (const sheet of chosen) {
    const rows: SheetRow[] = []
    for await (const row of rowsOf(bytes, sheet, count)) rows.push(row)
    yield* said(sheet, shapeTable(rows, xlsxReading))
  }
  yield { type: 'done', format: { kind: 'xlsx' } }
}

/** About as many cells and characters as one line of the answer holds. */
const cellsAtOnce = 4_000
const charsAtOnce = 200_000

function* said(
  { name, hidden }: Pick<SheetInfo, 'name' | 'hidden'>,
  { head, rows }: ShapedTable,
): Generator<DocumentSaid> {
  yield { type: 'table', head: { sheet: name, hidden, ...head } }
  let portion: TableRow[] = []
  let cells = 0
  let chars = 0
  for (const row of rows()) {
    portion.push(row)
    cells += row.length
    for (const value of row) if (typeof value === 'string') chars += value.length
    if (cells < cellsAtOnce && chars < charsAtOnce) continue
    yield { type: 'rows', rows: portion }
    portion = []
    cells = 0
    chars = 0
  }
  if (portion.length > 0) yield { type: 'rows', rows: portion }
}

export function isZip(bytes: Uint8Array): boolean {
  return startsWith(bytes, [0x50, 0x4b, 0x03, 0x04])
}

/** The container of XLS and DOC files, and of files of Office that are protected by a password. */
export function isOldOffice(bytes: Uint8Array): boolean {
  return startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])
}

function startsWith(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, at) => bytes[at] === byte)
}
