/** Fills the values of a request: texts as they are, arguments of the call, and secrets. */
import type { HttpValue } from '#lib/spec/http'
import type { OpenSecret } from '#lib/spec/http-port'
import { isObject, type JsonObject, type JsonValue } from '#lib/spec/json'
import { hasControls, textOf } from './http-address'

export type BodyFormat = 'json' | 'form' | 'text'

/** What values are filled from. */
export interface Filling {
  readonly args: JsonObject
  readonly open: OpenSecret
}

/** The value of a secret with its prefix, or of a parameter; undefined if the parameter was not given. */
export function fillValue(value: HttpValue, { args, open }: Filling): JsonValue | undefined {
  if (typeof value === 'string') return value
  if ('secret' in value) return `${value.prefix ?? ''}${open(value.secret)}`
  return argumentOf(args, value.param)
}

export function argumentOf(args: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(args, name) ? args[name] : undefined
}

/**
 * A body in which every object `{"param": name}` is replaced by the argument, and every `{"secret": name}` by the
 * secret. What is not given is left out. Arguments are not searched: a model cannot name a secret.
 */
export function fillBody(value: JsonValue, filling: Filling): JsonValue | undefined {
  if (Array.isArray(value))
    return value.map((each) => fillBody(each, filling)).filter((each) => each !== undefined)
  if (!isObject(value)) return value
  const reference = referenceIn(value)
  if (reference !== undefined) return fillValue(reference, filling)
  const filled = Object.entries(value).map(([key, each]) => [key, fillBody(each, filling)] as const)
  return fromPairs(filled.flatMap(([key, each]) => (each === undefined ? [] : [[key, each] as const])))
}

/** As `Object.fromEntries`, also for the key `__proto__`. */
function fromPairs(pairs: readonly (readonly [string, JsonValue])[]): JsonObject {
  const made: JsonObject = {}
  for (const [key, value] of pairs)
    Object.defineProperty(made, key, { value, enumerable: true, writable: true, configurable: true })
  return made
}

/** The object as a reference to a secret or a parameter; undefined if it is plain data. */
export function referenceIn(value: JsonObject): Exclude<HttpValue, string> | undefined {
  const { param, secret, prefix, ...rest } = value
  if (Object.keys(rest).length > 0) return undefined
  if (typeof param === 'string' && secret === undefined && prefix === undefined) return { param }
  if (typeof secret !== 'string' || param !== undefined) return undefined
  if (prefix !== undefined && typeof prefix !== 'string') return undefined
  return { secret, ...(prefix !== undefined && { prefix }) }
}

/** Every reference in a body, with the path of each. */
export function* referencesIn(
  value: JsonValue | undefined,
  path: string,
): Generator<{ readonly reference: Exclude<HttpValue, string>; readonly path: string }> {
  if (typeof value !== 'object' || value === null) return
  const reference = Array.isArray(value) ? undefined : referenceIn(value)
  if (reference !== undefined) return yield { reference, path }
  for (const [key, each] of Object.entries(value)) yield* referencesIn(each, `${path}/${key}`)
}

/** Adds to a query: a list as repeated keys, and what is not given not at all. */
export function addToQuery(query: URLSearchParams, key: string, value: JsonValue | undefined): void {
  for (const each of Array.isArray(value) ? value : [value]) {
    const text = textOf(each)
    if (text !== undefined) query.append(key, text)
  }
}

/** The text of a header; the error is one sentence for the model. */
export function headerText(name: string, value: JsonValue | undefined): { text?: string; fault?: string } {
  const text = textOf(value)
  if (text === undefined) return {}
  if (hasControls(text)) return { fault: `The header ${name} must not contain control characters.` }
  // A header is sent as bytes of Latin-1.
  if (/[^\u0020-\u00ff]/.test(text))
    return { fault: `The header ${name} can contain only Latin letters, digits and signs.` }
  return { text }
}

export interface WrittenBody {
  readonly text: string
  readonly mediaType: string
}

/** Undefined if there is nothing to send. */
export function writeBody(value: JsonValue | undefined, format: BodyFormat): WrittenBody | undefined {
  if (value === undefined) return undefined
  switch (format) {
    case 'json':
      return { text: JSON.stringify(value), mediaType: 'application/json' }
    case 'text':
      return { text: textOf(value) ?? '', mediaType: 'text/plain; charset=utf-8' }
    case 'form': {
      const form = new URLSearchParams()
      for (const [key, each] of Object.entries(isObject(value) ? value : {})) addToQuery(form, key, each)
      return { text: form.toString(), mediaType: 'application/x-www-form-urlencoded' }
    }
  }
  return format satisfies never
}
