/** Reads rows from an observation: JSON, or a table in Markdown. */
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

/** Undefined if the text has no rows. Of a shortened table, only the complete rows. */
export function readRows(text: string): Rows | undefined {
  const body = text.replace(cutMark, '')
  return readJson(body) ?? readTable(body, wasCut(text))
}

function readJson(body: string): Rows | undefined {
  try {
    return rowsOf(JSON.parse(body) as JsonValue) // cast: JSON.parse gives nothing else
  } catch {
    return undefined
  }
}

function rowsOf(value: JsonValue): Rows | undefined {
  const items = Array.isArray(value) ? value : [value]
  if (!items.every(isObject)) return undefined
  const columns = [...new Set(items.flatMap((each) => Object.keys(each)))]
  return { columns, rows: items.map((each) => columns.map((name) => each[name] ?? null)) }
}

export function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The first line with a divider has the column names; lines of another width are notes, not rows. */
function readTable(body: string, cut: boolean): Rows | undefined {
  const lines = body.split('\n').filter((each) => each.trim() !== '')
  const head = lines.findIndex((each) => each.includes('|'))
  if (head < 0) return undefined
  const columns = splitCells(lines[head] ?? '')
  const rows = lines
    .slice(head + 1, cut ? -1 : undefined)
    .filter((each) => !/^[\s|:-]+$/.test(each))
    .map((each) => splitCells(each).map(readCell))
    .filter((each) => each.length === columns.length)
  return columns.includes('') ? undefined : { columns, rows }
}

function splitCells(line: string): string[] {
  const inner = line.trim().replace(/^\||(?<!\\)\|$/g, '')
  return inner.split(/(?<!\\)\|/).map((each) => each.trim().replaceAll('\\|', '|'))
}

function readCell(text: string): JsonValue {
  if (text === 'null') return null
  // Only the usual form of a number: "007" stays a text.
  return text !== '' && String(Number(text)) === text && Number.isFinite(Number(text)) ? Number(text) : text
}
