/** Schemas of an OpenAPI document as plain JSON Schema without references. What is malformed is left out. */
import { withoutUnusablePatterns } from '#lib/schema/patterns'
import { isObject, type JsonObject, type JsonValue } from '#lib/spec/json'
import { type DocumentReferences, refIn } from './references'
import { cleanText } from './texts'

const deepest = 24

const isText = (value: JsonValue) => typeof value === 'string'
const isNumber = (value: JsonValue) => typeof value === 'number'
const isCount = (value: JsonValue) => Number.isInteger(value) && Number(value) >= 0
const isFlag = (value: JsonValue) => typeof value === 'boolean'
const isTexts = (value: JsonValue) => Array.isArray(value) && value.every(isText)
const isList = (value: JsonValue) => Array.isArray(value)
const types = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']
const isType = (value: JsonValue) =>
  isTexts(Array.isArray(value) ? value : [value]) &&
  [value].flat().every((each) => types.includes(String(each)))

/** The keywords whose values are no schemas, each with the values that it may have. */
const plain: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  type: isType,
  enum: isList,
  const: () => true,
  default: () => true,
  format: isText,
  multipleOf: (value) => isNumber(value) && Number(value) > 0,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  minLength: isCount,
  maxLength: isCount,
  pattern: isText,
  minItems: isCount,
  maxItems: isCount,
  uniqueItems: isFlag,
  minProperties: isCount,
  maxProperties: isCount,
}

interface Reading {
  readonly references: DocumentReferences
  /** The references that lead to the present place. */
  readonly within: readonly string[]
  readonly depth: number
  /** Texts are left out below this depth. */
  readonly textDepth: number
}

/** @param textDepth how deep descriptions are kept: all of them, or only those of the arguments */
export function readSchema(
  value: JsonValue | undefined,
  references: DocumentReferences,
  textDepth = deepest,
): JsonObject {
  return withoutUnusablePatterns(schemaOf(value, { references, within: [], depth: 0, textDepth }))
}

function schemaOf(given: JsonValue | undefined, reading: Reading): JsonObject {
  const { references, within, depth } = reading
  references.spend()
  const ref = refIn(given)
  if (depth > deepest) return {}
  if (ref !== undefined && within.includes(ref))
    return { description: `As described above: ${cleanText(ref.split('/').at(-1), 80)}.` }
  const value = references.follow(given)
  if (!isObject(value)) return {}
  const inner = { ...reading, within: ref === undefined ? within : [...within, ref], depth: depth + 1 }
  const made: JsonObject = {}
  if (depth <= reading.textDepth) {
    // A description next to a reference says what the value is for at this place.
    const own = isObject(given) ? given.description : undefined
    const description = cleanText(own ?? value.description, 1_000)
    if (description !== '') made.description = description
  }
  for (const [key, fits] of Object.entries(plain)) {
    const held = value[key]
    if (held !== undefined && fits(held)) made[key] = held
  }
  addBounds(made, value)
  addSchemas(made, value, inner)
  return value.nullable === true ? nullable(made) : made
}

/** OpenAPI 3.0 has exclusive bounds as switches. */
function addBounds(
  made: JsonObject,
  { minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonObject,
): void {
  if (exclusiveMinimum === true && typeof minimum === 'number') {
    made.exclusiveMinimum = minimum
    delete made.minimum
  }
  if (exclusiveMaximum === true && typeof maximum === 'number') {
    made.exclusiveMaximum = maximum
    delete made.maximum
  }
}

function addSchemas(made: JsonObject, value: JsonObject, reading: Reading): void {
  const { properties, required, additionalProperties, items, prefixItems, not } = value
  const given = isObject(properties) ? Object.entries(properties) : []
  const kept = given.filter(([, each]) => !isReadOnly(each, reading))
  if (isObject(properties))
    made.properties = Object.fromEntries(kept.map(([key, each]) => [key, schemaOf(each, reading)]))
  const dropped = new Set(given.filter((each) => !kept.includes(each)).map(([key]) => key))
  const names = (Array.isArray(required) ? required : []).filter((each) => typeof each === 'string')
  const left = [...new Set(names)].filter((name) => !dropped.has(name))
  if (left.length > 0) made.required = left
  if (typeof additionalProperties === 'boolean') made.additionalProperties = additionalProperties
  else if (isObject(additionalProperties)) made.additionalProperties = schemaOf(additionalProperties, reading)
  if (isObject(items)) made.items = schemaOf(items, reading)
  if (Array.isArray(prefixItems)) made.prefixItems = prefixItems.map((each) => schemaOf(each, reading))
  if (isObject(not)) made.not = schemaOf(not, reading)
  for (const key of ['allOf', 'anyOf', 'oneOf'] as const) {
    const held = value[key]
    if (Array.isArray(held) && held.length > 0) made[key] = held.map((each) => schemaOf(each, reading))
  }
}

/** What only the server writes is no part of a request. */
function isReadOnly(value: JsonValue, { references }: Reading): boolean {
  const found = references.follow(value)
  return isObject(found) && found.readOnly === true
}

/** OpenAPI 3.0 has a switch for values that may be null. */
function nullable(schema: JsonObject): JsonObject {
  const { type, enum: values } = schema
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] }
  const made: JsonObject = { ...schema, type: [type, 'null'] }
  if (Array.isArray(values) && !values.includes(null)) made.enum = [...values, null]
  return made
}
