/** Shows a part of one sheet of a workbook as a table with its letters and numbers; runs in the child process. */
import type { DocumentText } from '#lib/spec/document'
import { Unreadable } from './document-wire'
import { columnLetters, type SheetRow } from './table-shape'
import { CellCount, rowsOf, type SheetInfo, sheetsOf, shownCell, unknownSheet } from './table-xlsx'

/** The most rows, columns and characters of a cell that are shown at once. */
const most = { rows: 200, columns: 50, chars: 500 }

interface Range {
  readonly rows: readonly [from: number, to: number]
  readonly columns: readonly [from: number, to: number]
}

/** Throws `Unreadable`, or errors of the library when the file is broken. */
export async function readSheet(
  bytes: Uint8Array,
  {
    sheet: wanted,
    range: given,
  }: { readonly sheet?: string | undefined; readonly range?: string | undefined },
): Promise<DocumentText> {
  const sheets = await sheetsOf(bytes)
  const sheet =
    wanted === undefined
      ? (sheets.find(({ hidden }) => !hidden) ?? sheets[0])
      : sheets.find(({ name }) => name === wanted)
  if (sheet === undefined)
    throw unknownSheet(
      wanted ?? '',
      sheets.map(({ name }) => name),
    )
  const range = given === undefined ? undefined : rangeIn(given)
  const grid: SheetRow[] = []
  let last = 0
  let width = 0
  for await (const row of rowsOf(bytes, sheet, new CellCount())) {
    last = row.number
    width = Math.max(width, row.cells.length)
    const isIn = range === undefined || (row.number >= range.rows[0] && row.number <= range.rows[1])
    if (isIn && grid.length < most.rows) grid.push(row)
  }
  const [left, right] = columnsOf(range, width)
  const names = `Sheets: ${sheets.map(nameInWords).join(', ')}.`
  if (last === 0) return { kind: 'xlsx', summary: `${names} ${nameInWords(sheet)} is empty.`, text: '' }
  const has = `${nameInWords(sheet)} reaches to ${columnLetters(width - 1)}${last}`
  const first = grid[0]?.number
  const end = grid.at(-1)?.number
  const shown =
    first === undefined
      ? '; this part of it is empty'
      : `; this is ${columnLetters(left)}${first}:${columnLetters(right)}${end}`
  return { kind: 'xlsx', summary: `${names} ${has}${shown}.`, text: gridText(grid, left, right) }
}

function nameInWords({ name, hidden }: SheetInfo): string {
  return `"${name}"${hidden ? ' (hidden)' : ''}`
}

function columnsOf(range: Range | undefined, width: number): readonly [number, number] {
  const left = range?.columns[0] ?? 0
  const right = Math.max(left, Math.min(range?.columns[1] ?? width - 1, width - 1))
  return [left, Math.min(right, left + most.columns - 1)]
}

/** `B2:D20`, `B2`, `B:D` or `2:20`. */
function rangeIn(given: string): Range {
  const found = /^\s*\$?([a-z]{1,3})?\$?(\d{1,7})?(?::\$?([a-z]{1,3})?\$?(\d{1,7})?)?\s*$/i.exec(given)
  const [, startColumn, startRow, endColumn, endRow] = found ?? []
  if (found === null || (startColumn === undefined && startRow === undefined))
    throw new Unreadable(
      'bad_range',
      `"${given.slice(0, 50)}" is no range of cells. Write one like "B2:D20".`,
    )
  const isOne = !given.includes(':')
  const fromColumn = startColumn === undefined ? 0 : columnNumber(startColumn)
  const fromRow = startRow === undefined ? 1 : Number(startRow)
  const toColumn =
    endColumn !== undefined
      ? columnNumber(endColumn)
      : isOne && startColumn !== undefined
        ? fromColumn
        : 16_383
  const toRow = endRow !== undefined ? Number(endRow) : isOne && startRow !== undefined ? fromRow : 1_048_576
  return {
    rows: [Math.min(fromRow, toRow), Math.max(fromRow, toRow)],
    columns: [Math.min(fromColumn, toColumn), Math.max(fromColumn, toColumn)],
  }
}

function columnNumber(letters: string): number {
  let number = 0
  for (const letter of letters.toUpperCase()) number = number * 26 + letter.charCodeAt(0) - 64
  return number - 1
}

function gridText(grid: readonly SheetRow[], left: number, right: number): string {
  if (grid.length === 0) return ''
  const columns = Array.from({ length: right - left + 1 }, (_, at) => left + at)
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    line(['', ...columns.map(columnLetters)]),
    line(['---', ...columns.map(() => '---')]),
    ...grid.map(({ number, cells }) =>
      line([String(number), ...columns.map((column) => cellText(cells[column]))]),
    ),
  ].join('\n')
}

function cellText(cell: SheetRow['cells'][number] | undefined): string {
  if (cell === null || cell === undefined) return ''
  const text = shownCell(cell).replaceAll('|', '\\|').replace(/\s+/g, ' ')
  return text.length <= most.chars ? text : `${text.slice(0, most.chars)}…`
}
