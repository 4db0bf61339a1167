/** JSON as a type, and JSON Schema as the plain data that rooms exchange. */
import { z } from 'zod'

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }
export type JsonObject = { [key: string]: JsonValue }

/**
 * Any JSON value; free-form keys keep their order. Checked in a single walk, since `z.json()` tries a union
 * at every value, which takes seconds on a large document.
 */
export const jsonValue = z
  .unknown()
  .refine(isJson, 'expected a JSON value') as unknown as z.ZodType<JsonValue> // cast: the check ensures it
export const jsonObject: z.ZodType<JsonObject> = z.record(z.string(), jsonValue)

function isJson(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true
    case 'number':
      return Number.isFinite(value)
    case 'object':
      if (value === null) return true
      if (Array.isArray(value)) return value.every(isJson)
      return isPlain(value) && Object.values(value).every(isJson)
    default:
      // JSON has nothing of the other types.
      return false
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Undefined if the text is not JSON. */
export function tryParseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A text that is equal exactly for equal values, whatever the order of their keys. */
export function jsonKey(value: JsonValue): string {
  return JSON.stringify(value, sortKeys)
}

function sortKeys(_key: string, value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

/** Limits the number of keys of a record, which zod cannot do. */
export function atMost<T extends z.ZodType<Record<string, unknown>>>(schema: T, most: number): T {
  return schema.refine((value) => Object.keys(value).length <= most, `Too big: expected at most ${most} keys`)
}

/**
 * A JSON Schema (draft 2020-12) as data. The named keys are those our own rooms read;
 * `always` marks a key that the canonical form writes even when it equals its default.
 */
export interface JsonSchema {
  [key: string]: unknown
  type?: string | string[]
  title?: string
  description?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  items?: JsonSchema
  enum?: JsonValue[]
  const?: JsonValue
  default?: JsonValue
  oneOf?: JsonSchema[]
  anyOf?: JsonSchema[]
  always?: boolean
  unit?: string
  /** What an empty field means, in a word or two. */
  unset?: string
}

/** Whether a schema can describe the arguments of a tool: an object whose properties have schemas. */
export function isParameters({ type, properties, required }: JsonObject): boolean {
  const isSchema = (value: JsonValue) => typeof value === 'boolean' || isObject(value)
  if (type !== 'object') return false
  if (
    required !== undefined &&
    !(Array.isArray(required) && required.every((key) => typeof key === 'string'))
  )
    return false
  return properties === undefined || (isObject(properties) && Object.values(properties ?? {}).every(isSchema))
}

/** JSON Schema of a zod schema as a person or a model fills it in: defaulted keys are optional. */
export function toJsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input', reused: 'inline' })
  return rest as JsonSchema // cast: zod's own JSON Schema type is wider in `always`, narrower in index access
}

/** The entry of an object under this key, never one of its prototype. */
export function ownValue<T>(of: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(of, key) ? of[key] : undefined
}
