/** A text of any length as one line that is safe to show, at a cost that depends on the line alone. */
import type { JsonValue } from './json'
import { visible } from './visible'

/** As much of a text as one line can ever show. */
export const lineLength = 400

/** The beginning of a text, with ` …` where it was cut; a character that takes two code units stays whole. */
export function shortenText(text: string, limit: number = lineLength): string {
  return text.length > limit ? `${text.slice(0, cutAt(text, limit))} …` : text
}

/** A text in one line: runs of white space are one space, and what hides or turns letters round stands by its number. */
export function lineOf(text: string, limit: number = lineLength): string {
  return visible(shortenText(text, limit).replace(/[ \t\r\n]+/g, ' '))
}

/** The place at `limit`, or one before it where a character would be cut apart. */
export function cutAt(text: string, limit: number): number {
  const last = text.charCodeAt(limit - 1)
  return limit < text.length && last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit
}

/** JSON in one line, written no further than the line goes. */
export function jsonLine(value: unknown, limit: number = lineLength): string {
  const line = new Line(limit)
  write(value, line)
  return shortenText(line.text, limit)
}

/** Arguments as a row reads them: `sql: SELECT …, database: retail`. */
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

/** Text that grows until it is longer than the line: then nothing more need be written. */
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
    // A string that is cut has no closing quote: the line ends within it.
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

/** Entries one by one, so that the first few of a million cost no more than themselves. */
function* ownEntries(value: object): Generator<[string, JsonValue | undefined]> {
  for (const key in value) {
    // cast: JSON objects hold JSON values by their own keys
    if (Object.hasOwn(value, key)) yield [key, (value as Record<string, JsonValue>)[key]]
  }
}
