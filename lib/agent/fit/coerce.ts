/**
 * Corrects what models get wrong in the form, not the meaning, of arguments.
 * A value is changed only if it has none of the types that its schema names, and only if exactly one reading
 * is possible: text of a number → that number · "true", "false" → boolean · whole number or boolean → text ·
 * text of a JSON object or array → that object or array · null for an optional key → the key left out.
 * Nothing is wrapped, cut or guessed.
 */

import { isOfType, isSchema, resolveReference, typeOf, typesOf } from '#lib/schema/read'
import {
  isObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  jsonKey,
  tryParseJson,
} from '#lib/spec/json'

/** Limit on the values and branches visited, since a schema may refer to itself in every branch. */
const maxTurns = 200_000
const maxDepth = 300
/** Characters of a reading that can be compared in the time of one turn. */
const charactersPerTurn = 100

interface Root {
  readonly schema: JsonSchema
  /** Turns that are left. Below zero, nothing more is visited. */
  left: number
  depth: number
}

/** Whether one more schema may be visited. */
function mayTurn(root: Root): boolean {
  if (root.depth > maxDepth) root.left = -1
  return --root.left >= 0
}

/**
 * Arguments in the form the schema wants, as far as that is certain; the same object when nothing changes.
 */
export function coerceArguments(schema: JsonSchema, args: JsonObject): JsonObject {
  const root: Root = { schema, left: maxTurns, depth: 0 }
  const value = coerce(root, schema, args)
  // A schema that branches without end gives no certain reading.
  if (root.left < 0) return args
  return isObject(value) ? value : args
}

function coerce(root: Root, given: JsonSchema, value: JsonValue): JsonValue {
  if (!mayTurn(root)) return value
  const schema = resolveReference(root.schema, given)
  if (schema === undefined) return value
  root.depth++
  const read = coerceBy(root, schema, value)
  root.depth--
  return read
}

function coerceBy(root: Root, schema: JsonSchema, value: JsonValue): JsonValue {
  const branches = schema.anyOf ?? schema.oneOf
  if (branches !== undefined && schema.type === undefined && schema.properties === undefined)
    return coerceByBranch(root, branches, value)
  const types = typesOf(schema)
  const typed =
    types.length === 0 || types.some((type) => isOfType(value, type)) ? value : reread(types, value)
  return coerceWithin(root, schema, typed)
}

/**
 * If one of the schemas takes the value, it decides. If none does, the value is read the one way they allow.
 */
function coerceByBranch(root: Root, branches: readonly JsonSchema[], value: JsonValue): JsonValue {
  const known = branches
    .map((each) => resolveReference(root.schema, each))
    .filter((each) => each !== undefined)
  const [fitting, ...others] = known.filter((each) => takes(each, value))
  if (fitting !== undefined) return others.length === 0 ? coerce(root, fitting, value) : value
  const readings = known.map((each) => coerce(root, each, value)).filter((each) => each !== value)
  const distinct = new Map<string, JsonValue>()
  for (const each of readings) {
    if (root.left < 0) return value
    const text = jsonKey(each)
    root.left -= text.length / charactersPerTurn
    distinct.set(text, each)
  }
  const [only] = distinct.values()
  return distinct.size === 1 && only !== undefined ? only : value
}

function takes(schema: JsonSchema, value: JsonValue): boolean {
  if (schema.enum !== undefined) return schema.enum.some((each) => each === value)
  if (schema.const !== undefined) return schema.const === value
  const types = typesOf(schema)
  return types.length === 0 || types.some((type) => isOfType(value, type))
}

function coerceWithin(root: Root, schema: JsonSchema, value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value
  if (!Array.isArray(value)) return coerceKeys(root, schema, value)
  const { items } = schema
  if (!isSchema(items)) return value
  let changed = false
  const list = value.map((each) => {
    const one = coerce(root, items, each)
    changed ||= one !== each
    return one
  })
  return changed ? list : value
}

function coerceKeys(root: Root, schema: JsonSchema, value: JsonObject): JsonObject {
  const { properties = {}, required = [] } = schema
  let changed = false
  const entries: [string, JsonValue][] = []
  for (const [key, each] of Object.entries(value)) {
    const own = Object.hasOwn(properties, key) ? properties[key] : undefined
    if (own === undefined) {
      entries.push([key, each])
      continue
    }
    if (each === null) root.left -= required.length / charactersPerTurn
    if (each === null && !required.includes(key) && !takesNull(root, own)) {
      changed = true
      continue
    }
    const one = coerce(root, own, each)
    changed ||= one !== each
    entries.push([key, one])
  }
  return changed ? Object.fromEntries(entries) : value
}

function takesNull(root: Root, given: JsonSchema): boolean {
  if (!mayTurn(root)) return false
  const schema = resolveReference(root.schema, given)
  if (schema === undefined || !takes(schema, null)) return false
  const branches = schema.anyOf ?? schema.oneOf
  if (branches === undefined) return true
  root.depth++
  const isTaken = branches.some((each) => takesNull(root, each))
  root.depth--
  return isTaken
}

/** The only possible reading of the value in the wanted types; else the value itself. */
function reread(types: readonly string[], value: JsonValue): JsonValue {
  const readings = new Set<JsonValue>()
  for (const type of types) {
    const one = readAs(type, value)
    if (one !== undefined) readings.add(one)
  }
  const [only] = readings
  return readings.size === 1 && only !== undefined ? only : value
}

const numeral = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

function readAs(type: string, value: JsonValue): JsonValue | undefined {
  switch (type) {
    case 'integer':
    case 'number':
      return typeof value === 'string' ? numberIn(value.trim(), type) : undefined
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : undefined
    case 'string':
      // A fraction may have been written in a form that its number no longer shows.
      return typeof value === 'boolean' || Number.isSafeInteger(value) ? String(value) : undefined
    case 'object':
    case 'array':
      return typeof value === 'string' ? structureIn(value, type) : undefined
    default:
      // A schema may name a type that JSON does not have; nothing is read as that.
      return undefined
  }
}

function numberIn(text: string, type: 'integer' | 'number'): number | undefined {
  if (!numeral.test(text)) return undefined
  const value = Number(text)
  if (Number.isInteger(value)) return Number.isSafeInteger(value) ? value : undefined
  return type === 'number' && Number.isFinite(value) ? value : undefined
}

function structureIn(text: string, type: 'object' | 'array'): JsonValue | undefined {
  const value = tryParseJson(text)
  return value !== undefined && typeOf(value) === type ? value : undefined
}
