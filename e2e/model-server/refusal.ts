/**
 * What the request checks of all services share: functions that report what is wrong with
 * unknown JSON, and where.
 */
import type { JsonObject } from '#lib/spec/json'

export interface Refusal {
  readonly message: string
  /** The path in the body. */
  readonly param?: string
  /** OpenAI's own code for it. */
  readonly code?: string
}

export type Refusals = Generator<Refusal, void>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function refusal(param: string, message: string): Refusal {
  return { message: param === '' ? message : `${param}: ${message}`, param }
}

export function firstOf(refusals: Refusals): Refusal | undefined {
  const { value, done } = refusals.next()
  return done === true || value === undefined ? undefined : value
}

/** Reports keys that the service does not know. */
export function* unknownKeys(value: JsonObject, known: ReadonlySet<string>, at = ''): Refusals {
  for (const key of Object.keys(value))
    if (!known.has(key))
      yield refusal(at === '' ? key : `${at}.${key}`, 'Extra inputs are not permitted (unknown key)')
}

export function* outOfRange(
  value: JsonObject,
  key: string,
  [least, most]: readonly [number, number],
): Refusals {
  const given = value[key]
  if (given === undefined) return
  if (typeof given !== 'number' || given < least || given > most)
    yield refusal(key, `Input should be a number from ${least} to ${most}`)
}

export function* notWhole(value: JsonObject, ...keys: readonly string[]): Refusals {
  for (const key of keys) {
    const given = value[key]
    if (given === undefined) continue
    if (typeof given !== 'number' || !Number.isInteger(given) || given < 1)
      yield refusal(key, 'Input should be a whole number of at least 1')
  }
}

export function* notText(value: JsonObject, key: string, at: string): Refusals {
  const given = value[key]
  if (typeof given !== 'string') yield refusal(`${at}${key}`, 'Input should be a valid string')
  else if (given === '') yield refusal(`${at}${key}`, 'must be non-empty')
}

export function* wrongName(name: unknown, at: string): Refusals {
  if (typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,64}$/.test(name))
    yield refusal(at, "Invalid name: string does not match pattern '^[a-zA-Z0-9_-]{1,64}$'")
}

/** The schema of arguments must be an object's, with keywords of the right types. */
export function* wrongSchema(schema: unknown, at: string): Refusals {
  if (!isObject(schema)) return yield refusal(at, 'Input should be a valid dictionary')
  if (schema.type !== 'object')
    yield refusal(
      `${at}.type`,
      `Invalid schema: schema must be a JSON Schema of 'type: "object"', got ${JSON.stringify(schema.type ?? null)}`,
    )
  if (schema.properties !== undefined && !isObject(schema.properties))
    yield refusal(`${at}.properties`, 'Invalid schema: not an object')
  const { required } = schema
  if (
    required !== undefined &&
    !(Array.isArray(required) && required.every((each) => typeof each === 'string'))
  )
    yield refusal(`${at}.required`, 'Invalid schema: not an array of strings')
}

export function* repeated(names: readonly unknown[], at: string, message: string): Refusals {
  const seen = new Set<unknown>()
  for (const name of names) {
    if (seen.has(name)) yield refusal(at, `${message}: ${String(name)}`)
    seen.add(name)
  }
}
