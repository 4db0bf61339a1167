/**
 * The child process that evaluates JMESPath expressions: takes an expression and JSON, and says the result, cut to
 * what is shown. An expression that takes too long holds up only this process.
 */
import { search } from '@aws-lambda-powertools/jmespath'
import type { JsonValue } from '#lib/spec/json'
import type { LeftOut } from '#lib/spec/json-query'
import { type JsonQuerySaid, jsonQueryLimits } from './json-query-wire'
import { isPlainObject } from './plain-object'

const { shownChars } = jsonQueryLimits

function evaluate(expression: string, text: string): JsonQuerySaid {
  let data: JsonValue
  try {
    data = JSON.parse(text)
  } catch (error) {
    return { ok: false, code: 'data', message: `It is not valid JSON: ${wordsOf(error)}.` }
  }
  try {
    // The library keeps expressions under their own text in a plain object, where "toString" is something else; a blank
    // before it changes nothing but the places in messages.
    const found = search(` ${expression}`, data)
    // Cast: a result of JSON is JSON; the name of a method gives a function, which JSON does not have.
    const json = JSON.stringify(found) as string | undefined
    return json === undefined ? { ok: true, value: null } : cut(JSON.parse(json), json)
  } catch (error) {
    return { ok: false, code: 'expression', message: faultOf(error, expression) }
  }
}

function wordsOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').slice(0, 300)
}

/** What the library tells of a wrong expression, beside its message. */
interface Told {
  readonly lexPosition?: number
  readonly lexerPosition?: number
}

function faultOf(error: unknown, expression: string): string {
  // Cast: the library's errors have these keys, and others have none of them.
  const { lexPosition, lexerPosition } = error as Told
  const at = lexPosition ?? lexerPosition
  // The library counts from 0, with the blank.
  const place = at === undefined ? '' : ` at character ${Math.max(1, at)} of "${shorten(expression)}"`
  const what = wordsOf(error)
    .replace(/^(Invalid|Bad) jmespath expression: /, '')
    .replace(/\s*in expression: .*$/s, '')
    .replace(/(parse error )?at column \d+,?\s*/, '')
    .trim()
  return `The expression cannot be evaluated${place}: ${what}.`
}

function shorten(expression: string): string {
  return expression.length > 200 ? `${expression.slice(0, 200)}…` : expression
}

/** The first items or keys that fit, and how many there are. */
function cut(value: JsonValue, json: string): JsonQuerySaid {
  if (json.length <= shownChars) return { ok: true, value }
  if (Array.isArray(value)) {
    const shown = fitting(value.map((each) => JSON.stringify(each).length))
    if (shown > 0) return { ok: true, value: value.slice(0, shown), left: left('items', shown, value.length) }
  } else if (isPlainObject(value)) {
    const entries = Object.entries(value)
    const shown = fitting(entries.map(([key, each]) => key.length + JSON.stringify(each).length))
    if (shown > 0)
      return {
        ok: true,
        value: Object.fromEntries(entries.slice(0, shown)),
        left: left('keys', shown, entries.length),
      }
  } else if (typeof value === 'string')
    return { ok: true, value: value.slice(0, shownChars), left: left('characters', shownChars, value.length) }
  // One item alone is too long: the beginning of its text.
  return { ok: true, value: json.slice(0, shownChars), left: left('characters', shownChars, json.length) }
}

function fitting(lengths: readonly number[]): number {
  let sum = 0
  const end = lengths.findIndex((length) => {
    sum += length + 1
    return sum > shownChars
  })
  return end === -1 ? lengths.length : end
}

function left(of: LeftOut['of'], shown: number, total: number): LeftOut {
  return { of, shown, total }
}

async function main(): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk)
  const all = Buffer.concat(chunks)
  const end = all.indexOf(10)
  const expression: string = JSON.parse(all.toString('utf8', 0, end))
  process.stdout.write(JSON.stringify(evaluate(expression, all.toString('utf8', end + 1))))
}

await main()
