/** Reads rows from an observation in any form: JSON, a drawn table, tabs or commas. */
import type { JsonValue } from '#lib/spec/json'

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
  const cut = wasCut(text)
  const body = text.replace(cutMark, '')
  if (body.trim() === '') return undefined
  return fromJson(body.trim()) ?? fromLines(body, cut) ?? (cut ? fromPieces(body) : undefined)
}

function fromJson(body: string): Rows | undefined {
  // A note may follow the JSON on lines of its own.
  for (const candidate of [body, body.slice(0, Math.max(body.lastIndexOf(']'), body.lastIndexOf('}')) + 1)]) {
    const value = parse(candidate)
    if (value !== undefined) return ofValue(value)
  }
  return undefined
}

function parse(text: string): JsonValue | undefined {
  if (!/^[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text) as JsonValue // cast: JSON.parse gives nothing else
  } catch {
    return undefined
  }
}

function ofValue(value: JsonValue): Rows | undefined {
  if (Array.isArray(value)) return ofList(value)
  if (value === null || typeof value !== 'object') return undefined
  const { columns, rows } = value
  if (Array.isArray(columns) && Array.isArray(rows)) {
    const names = columns.map((each) => (isObject(each) ? String(each.name) : String(each)))
    return {
      columns: names,
      rows: rows.map((row) =>
        Array.isArray(row) ? row : isObject(row) ? names.map((name) => row[name] ?? null) : [row],
      ),
    }
  }
  const lists = Object.values(value).filter((each) => Array.isArray(each))
  if (lists.length === 1 && lists[0] !== undefined) return ofList(lists[0])
  return { columns: Object.keys(value), rows: [Object.values(value)] }
}

function ofList(items: JsonValue[]): Rows | undefined {
  if (items.every(isObject)) {
    const columns = [...new Set(items.flatMap((each) => Object.keys(each)))]
    return { columns, rows: items.map((each) => columns.map((name) => each[name] ?? null)) }
  }
  if (items.every((each) => typeof each === 'string'))
    return { columns: ['name'], rows: items.map((each) => [each]) }
  return undefined
}

function isObject(value: JsonValue): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The first line with a divider has the column names; lines of another width are notes, not rows. */
function fromLines(body: string, cut: boolean): Rows | undefined {
  const lines = body.split('\n').filter((each) => each.trim() !== '')
  const head = lines.findIndex((each) => divider(each) !== undefined)
  const header = lines[head]
  if (header === undefined) return undefined
  const by = divider(header)
  if (by === undefined) return undefined
  const columns = cells(header, by).map(String)
  const rows = lines
    .slice(head + 1, cut ? -1 : undefined)
    .filter((each) => !/^[\s|:+-]+$/.test(each))
    .map((each) => cells(each, by).map(ofCell))
    .filter((each) => each.length === columns.length)
  return columns.some((each) => each === '') ? undefined : { columns, rows }
}

type Divider = '|' | '\t' | ','

function divider(line: string): Divider | undefined {
  return (['|', '\t', ','] as const).find(
    (each) => line.includes(each) && !(each === ',' && /[.:!?]|, /.test(line)),
  )
}

function cells(line: string, by: Divider): string[] {
  if (by === ',')
    return Array.from(
      line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g),
      ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
    )
  const inner = by === '|' ? line.trim().replace(/^\||(?<!\\)\|$/g, '') : line
  return inner.split(by === '|' ? /(?<!\\)\|/ : '\t').map((each) => each.trim().replaceAll('\\|', '|'))
}

function ofCell(text: string): JsonValue {
  if (text === 'NULL' || text === 'null') return null
  // Only the usual form of a number: "007" stays a text.
  return text !== '' && String(Number(text)) === text && Number.isFinite(Number(text)) ? Number(text) : text
}

/** The complete objects of a JSON list whose end is missing. */
function fromPieces(body: string): Rows | undefined {
  const rows = body.indexOf('"rows"')
  const columns = /"columns"\s*:\s*(\[[^\]]*\])/.exec(body)?.[1]
  if (rows >= 0 && columns !== undefined) {
    const pieces = body.slice(rows + 6).match(/\[[^[\]]*\]/g) ?? []
    return fromJson(`{"columns":${columns},"rows":[${pieces.join(',')}]}`)
  }
  const pieces = body.match(/\{[^{}]*\}/g) ?? []
  return pieces.length === 0 ? undefined : fromJson(`[${pieces.join(',')}]`)
}
