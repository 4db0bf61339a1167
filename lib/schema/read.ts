/**
 * Reads JSON Schemas as data: pointers and local references, the types a schema names, the types of values.
 */
import type { JsonSchema, JsonValue } from '#lib/spec/json'

/** The most references followed in a chain. */
const longestChain = 16

/** The schema itself, or the target of its local `$ref`; undefined when there is no such target. */
export function resolveReference(root: JsonSchema, schema: JsonSchema): JsonSchema | undefined {
  let at: JsonSchema | undefined = schema
  for (let hop = 0; at !== undefined && typeof at.$ref === 'string'; hop++) {
    if (hop === longestChain || !at.$ref.startsWith('#')) return undefined
    at = schemaAt(root, at.$ref)
  }
  return at
}

/** The schema at a location such as `#/properties/rows/items`; any `$ref` in the path is followed. */
export function schemaAt(root: JsonSchema, location: string): JsonSchema | undefined {
  let at: unknown = root
  for (const step of stepsOf(location)) {
    if (Array.isArray(at)) at = at[Number(step)]
    else if (!isSchema(at)) return undefined
    else at = step === '$ref' ? resolveReference(root, at) : Object.hasOwn(at, step) ? at[step] : undefined
  }
  return isSchema(at) ? at : undefined
}

/** The steps of a JSON pointer that begins with `#`. */
export function stepsOf(location: string): string[] {
  const [, ...steps] = location.split('/')
  return steps.map((each) => unescapeStep(each).replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** A key as a step of such a pointer. */
export function escapeKey(key: string): string {
  return /^[\w.-]*$/.test(key)
    ? key
    : encodeURI(
        key
          .replace(/\p{Surrogate}/gu, '\ufffd')
          .replaceAll('~', '~0')
          .replaceAll('/', '~1'),
      ).replaceAll('#', '%23')
}

function unescapeStep(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Empty when the schema names no type. */
export function typesOf({ type }: JsonSchema): readonly string[] {
  if (typeof type === 'string') return [type]
  return Array.isArray(type) ? type.filter((each) => typeof each === 'string') : []
}

/** The JSON type of a value; whole numbers are `integer`. */
export function typeOf(value: JsonValue): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}

export function isOfType(value: JsonValue, type: string): boolean {
  const own = typeOf(value)
  return own === type || (own === 'integer' && type === 'number')
}
