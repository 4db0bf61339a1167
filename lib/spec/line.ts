/** Shortens a text of any length to one line that is safe to show, at a cost bounded by the line. */
import type { JsonValue } from './json'
import { visible } from './visible'

/** The most characters of a text that one line ever shows. */
export const lineLength = 400

/** The beginning of a text, with ` …` where it was cut. Surrogate pairs are not split. */
export function shortenText(text: string, limit: number = lineLength): string {
  return text.length > limit ? `${text.slice(0, cutAt(text, limit))} …` : text
}

/**
 * A text on one line, with runs of white space as one space, and hidden or reordering characters as numbers.
 */
export function lineOf(text: string, limit: number = lineLength): string {
  return visible(shortenText(text, limit).replace(/[ \t\r\n]+/g, ' '))
}

/** `limit`, or one less where it would split a surrogate pair. */
export function cutAt(text: string, limit: number): number {
  const last = text.charCodeAt(limit - 1)
  return limit < text.length && last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit
}

/** JSON on one line, encoded only as far as the line goes. */
export function jsonLine(value: unknown, limit: number = lineLength): string {
  const line = new Line(limit)
  write(value, line)
  return shortenText(line.text, limit)
}

/** Arguments as a trace row shows them: `sql: SELECT …, database: retail`. */
export function argumentsLine(args: { readonly [key: string]: unknown }, limit: number = lineLength): string {
  const line = new Line(limit)
  for (const key in args) {
    if (line.isFull) break
    const value = args[key]
    line.add(`${line.text === '' ? '' : ', '}${shortenText(key, limit)}: `)
    if (typeof value === 'string') line.add(value.slice(0, 2 * limit).replace(/\s+/g, ' '))
    else write(value, line)
  }
  return shortenText(line.text, limit)
}

/** Collects text until it is longer than the line; then writing can stop. */
class Line {
  text = ''
  readonly limit: number

  constructor(limit: number) {
    this.limit = limit
  }

  get isFull(): boolean {
    return this.text.length > this.limit
  }

  add(text: string): void {
    if (!this.isFull) this.text += text
  }
}

function write(value: unknown, line: Line): void {
  if (line.isFull) return
  if (typeof value === 'string') {
    // A cut string has no closing quote, since the line ends inside it.
    const start = JSON.stringify(value.slice(0, line.limit + 1))
    line.add(value.length > line.limit + 1 ? start.slice(0, -1) : start)
  } else if (Array.isArray(value)) {
    line.add('[')
    for (let index = 0; index < value.length && !line.isFull; index++) {
      if (index > 0) line.add(',')
      write(value[index] ?? null, line)
    }
    line.add(']')
  } else if (typeof value === 'object' && value !== null) {
    line.add('{')
    let isFirst = true
    for (const [key, each] of ownEntries(value)) {
      if (line.isFull) break
      if (each === undefined) continue
      if (!isFirst) line.add(',')
      isFirst = false
      write(key, line)
      line.add(':')
      write(each, line)
    }
    line.add('}')
  } else line.add(JSON.stringify(value) ?? 'null')
}

/** Entries one at a time, so that the first few of a million cost no more than a few. */
function* ownEntries(value: object): Generator<[string, JsonValue | undefined]> {
  for (const key in value) {
    // cast: JSON objects hold JSON values under their own keys
    if (Object.hasOwn(value, key)) yield [key, (value as Record<string, JsonValue>)[key]]
  }
}
