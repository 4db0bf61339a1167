/**
 * Splits JSON text into tokens and finds the places of values in it. The text is read as far as possible, valid
 * or not.
 */
import { tryParseJson } from './json'
import { endOfString } from './json-scan'

export interface JsonToken {
  /** `"` for a string, `word` for a number or literal, empty at the end of the text; otherwise the character itself. */
  readonly kind: string
  readonly from: number
  /** The index after the token. */
  readonly to: number
}

const word = /[\w.+-]+/y

/** The first token at or after an index. */
export function tokenAt(text: string, start: number): JsonToken {
  let from = start
  while (isBlank(text.charCodeAt(from))) from++
  const kind = text[from] ?? ''
  if (kind === '"') {
    const end = endOfString(text, from + 1)
    return { kind, from, to: end < 0 ? text.length : end }
  }
  word.lastIndex = from
  if (word.test(text)) return { kind: 'word', from, to: word.lastIndex }
  return { kind, from, to: from + kind.length }
}

function isBlank(unit: number): boolean {
  return unit === 32 || unit === 10 || unit === 13 || unit === 9
}

export interface JsonPlace {
  /** The key of a member, or the index of an item. */
  readonly key: string
  /** Where it begins: a member begins with its key. */
  readonly from: number
  /** Where its value begins. */
  readonly value: number
  readonly to: number
}

/** The root, and below it the place at each step of the path, as far as the text has them. */
export function placesAlong(text: string, path: readonly string[]): JsonPlace[] {
  const { from, to } = tokenAt(text, 0)
  if (from === to) return []
  let place: JsonPlace | undefined = { key: '', from, value: from, to: text.length }
  const places = [place]
  for (const step of path) {
    // Of members with the same key, parsing keeps the last.
    place = placesIn(text, place.value).findLast(({ key }) => key === step)
    if (place === undefined) break
    places.push(place)
  }
  return places
}

/** The members or items of the value that begins at an index. */
export function placesIn(text: string, start: number): JsonPlace[] {
  const isObject = text[start] === '{'
  if (!isObject && text[start] !== '[') return []
  const places: JsonPlace[] = []
  let first = tokenAt(text, start + 1)
  while (isObject ? first.kind === '"' : first.kind !== ']' && first.kind !== '') {
    const { from } = first
    const value = isObject ? tokenAt(text, tokenAt(text, first.to).to) : first
    const to = endOfValue(text, value)
    const key = isObject ? String(tryParseJson(text.slice(from, first.to))) : String(places.length)
    places.push({ key, from, value: value.from, to })
    const next = tokenAt(text, to)
    first = next.kind === ',' ? tokenAt(text, next.to) : next
  }
  return places
}

function endOfValue(text: string, first: JsonToken): number {
  let depth = 0
  for (let token = first; ; token = tokenAt(text, token.to)) {
    if (token.kind === '{' || token.kind === '[') depth += 1
    else if (token.kind === '}' || token.kind === ']') depth -= 1
    if (depth <= 0 || token.kind === '') return token.to
  }
}
