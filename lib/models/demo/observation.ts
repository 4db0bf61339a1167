/** Reads rows from an observation in any form: JSON, a drawn table, tabs or commas. */
import type { JsonObject, JsonValue } from '#lib/spec/json'

export interface Rows {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly JsonValue[])[]
}

const cutMark = /\n?\.\.\. \(\d+ more characters truncated\)\s*$/

/** Whether the policy on results shortened the observation. */
export function wasCut(text: string): boolean {
  return cutMark.test(text)
}

/** Undefined if the text has no rows. Of a shortened text, only the complete rows. */
export function readRows(text: string): Rows | undefined {
  const body = text.replace(cutMark, '')
  return readJson(body.trim()) ?? readLines(body, wasCut(text))
}

function readJson(body: string): Rows | undefined {
  if (!/^[[{]/.test(body)) return undefined
  // A note may follow the JSON, or its end may be missing: then it is closed after the last complete value.
  const complete = body.slice(0, Math.max(body.lastIndexOf(']'), body.lastIndexOf('}')) + 1)
  for (const candidate of [body, complete, `${complete}]`, `${complete}]}`]) {
    try {
      return rowsOf(JSON.parse(candidate) as JsonValue) // cast: JSON.parse gives nothing else
    } catch {
      // The next candidate may be JSON.
    }
  }
  return undefined
}

function rowsOf(value: JsonValue): Rows | undefined {
  if (Array.isArray(value)) return rowsOfList(value)
  if (!isObject(value)) return undefined
  const { columns, rows } = value
  if (Array.isArray(columns) && Array.isArray(rows)) {
    const names = columns.map((each) => String(isObject(each) ? each.name : each))
    return { columns: names, rows: rows.map((row) => (Array.isArray(row) ? row : cellsOf(row, names))) }
  }
  const lists = Object.values(value).filter((each) => Array.isArray(each))
  if (lists.length === 1 && lists[0] !== undefined) return rowsOfList(lists[0])
  return { columns: Object.keys(value), rows: [Object.values(value)] }
}

function rowsOfList(items: JsonValue[]): Rows | undefined {
  if (items.every((each) => typeof each === 'string'))
    return { columns: ['name'], rows: items.map((each) => [each]) }
  if (!items.every(isObject)) return undefined
  const columns = [...new Set(items.flatMap((each) => Object.keys(each)))]
  return { columns, rows: items.map((each) => cellsOf(each, columns)) }
}

function cellsOf(row: JsonValue, columns: readonly string[]): JsonValue[] {
  return isObject(row) ? columns.map((name) => row[name] ?? null) : [row]
}

export function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The first line with a divider has the column names; lines of another width are notes, not rows. */
function readLines(body: string, cut: boolean): Rows | undefined {
  const lines = body.split('\n').filter((each) => each.trim() !== '')
  const head = lines.findIndex((each) => dividerIn(each) !== undefined)
  const divider = dividerIn(lines[head] ?? '')
  if (divider === undefined) return undefined
  const columns = splitCells(lines[head] ?? '', divider)
  const rows = lines
    .slice(head + 1, cut ? -1 : undefined)
    .filter((each) => !/^[\s|:+-]+$/.test(each))
    .map((each) => splitCells(each, divider).map(readCell))
    .filter((each) => each.length === columns.length)
  return columns.includes('') ? undefined : { columns, rows }
}

function dividerIn(line: string): string | undefined {
  // A sentence has commas too, but then also spaces after them or an end.
  return ['|', '\t', ','].find((each) => line.includes(each) && !(each === ',' && /[.:!?]|, /.test(line)))
}

function splitCells(line: string, divider: string): string[] {
  if (divider === ',')
    return Array.from(
      line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g),
      ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
    )
  const inner = divider === '|' ? line.trim().replace(/^\||(?<!\\)\|$/g, '') : line
  return inner.split(divider === '|' ? /(?<!\\)\|/ : '\t').map((each) => each.trim().replaceAll('\\|', '|'))
}

function readCell(text: string): JsonValue {
  if (text === 'NULL' || text === 'null') return null
  // Only the usual form of a number: "007" stays a text.
  return text !== '' && String(Number(text)) === text && Number.isFinite(Number(text)) ? Number(text) : text
}
