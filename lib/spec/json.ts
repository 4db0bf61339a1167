/** JSON as a type, and JSON Schema as the plain data the rooms exchange. */
import { z } from 'zod'

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }
export type JsonObject = { [key: string]: JsonValue }

/** Any JSON value; free-form keys keep their order. */
export const jsonValue: z.ZodType<JsonValue> = z.json()
export const jsonObject: z.ZodType<JsonObject> = z.record(z.string(), jsonValue)

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
}

/** JSON Schema of a zod schema as a person or a model fills it in: defaulted keys are optional. */
export function toJsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input', reused: 'inline' })
  return rest as JsonSchema // cast: zod's own JSON Schema type is wider in `always`, narrower in index access
}
