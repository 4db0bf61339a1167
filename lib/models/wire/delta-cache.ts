/**
 * Parses a series of JSON texts that mostly differ in one string, such as the deltas of an answer. When a
 * text differs from the last ones only in that string, only the string is parsed.
 */
import { isObject, type JsonObject, type JsonValue, tryParseJson } from '#lib/spec/json'
import { endOfString } from '#lib/spec/json-scan'

/** Two texts that differ in one string only, and the parsed value whose string is replaced. */
interface Shape {
  /** The text before the string, with its opening quote, and the text after it. */
  readonly head: string
  readonly tail: string
  readonly value: JsonValue
  readonly holder: JsonObject
  readonly key: string
}

const probe = '\u0001'
const writtenProbe = '\\u0001'
/**
 * Comparisons without a new shape before the cache gives up: some services put a
 * random value into every text.
 */
const patience = 8

export class DeltaCache {
  #last = ''
  #shape: Shape | undefined
  #patience = patience

  /** The value, valid until the next text is read; undefined if the text is not JSON. */
  read(text: string): JsonValue | undefined {
    const known = this.#shape
    if (known !== undefined && isOf(known, text)) {
      const said = stringIn(text.slice(known.head.length, text.length - known.tail.length))
      if (said !== undefined) {
        known.holder[known.key] = said
        return known.value
      }
    }
    return this.#anew(text)
  }

  #anew(text: string): JsonValue | undefined {
    if (this.#patience > 0 && text !== this.#last) {
      this.#patience -= 1
      const shape = shapeOf(this.#last, text)
      if (shape !== undefined) {
        this.#shape = shape
        this.#patience = patience
      }
    }
    this.#last = text
    return tryParseJson(text)
  }
}

function isOf({ head, tail }: Shape, text: string): boolean {
  const end = text.length - tail.length
  // Comparing slices is about ten times faster than `startsWith` and `endsWith`.
  return end >= head.length && text.slice(0, head.length) === head && text.slice(end) === tail
}

/** What must be escaped within a string. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON does not allow them in strings
const special = /["\\\u0000-\u001f]/

/** The string between its quotes; undefined if it contains an unescaped quote or control character. */
function stringIn(inner: string): string | undefined {
  if (!special.test(inner)) return inner
  if (endOfString(inner, 0) >= 0) return undefined
  const said = tryParseJson(`"${inner}"`)
  return typeof said === 'string' ? said : undefined
}

/**
 * What two texts have in common around the only string in which they differ; undefined if they differ in
 * more. A probe in place of the string finds its position in the parsed value.
 */
function shapeOf(one: string, other: string): Shape | undefined {
  const most = Math.min(one.length, other.length)
  let from = 0
  while (from < most && one.charCodeAt(from) === other.charCodeAt(from)) from++
  const start = one.lastIndexOf('"', from - 1) + 1
  if (start === 0 || from === most || other.includes(writtenProbe)) return undefined
  const end = endOfString(other, start)
  if (end < 0) return undefined
  const tail = other.slice(end - 1)
  if (!one.endsWith(tail)) return undefined
  const head = other.slice(0, start)
  const value = tryParseJson(head + writtenProbe + tail)
  const place = value === undefined ? undefined : placeOf(value)
  return value === undefined || place === undefined ? undefined : { head, tail, value, ...place }
}

/** The position of the probe as a value; undefined if it is a key or an item of a list. */
function placeOf(root: JsonValue): Pick<Shape, 'holder' | 'key'> | undefined {
  const left: JsonValue[] = [root]
  for (let each = left.pop(); each !== undefined; each = left.pop()) {
    if (Array.isArray(each)) for (const item of each) left.push(item)
    if (!isObject(each)) continue
    for (const [key, value] of Object.entries(each)) {
      // Assigning to this key would not create a property.
      if (value === probe) return key === '__proto__' ? undefined : { holder: each, key }
      if (typeof value === 'object' && value !== null) left.push(value)
    }
  }
  return undefined
}
