/** The values of the form of a question: with which it begins, and in which order they are sent. Pure. */
import type { JsonObject, JsonSchema } from '#lib/spec/json'

/** Defaults are filled in, and a required switch is off until it is switched on: both are shown that way. */
export function firstValues({ properties = {}, required = [] }: JsonSchema): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([key, field]) => {
      if (field.default !== undefined) return [[key, field.default]]
      return field.type === 'boolean' && required.includes(key) ? [[key, false]] : []
    }),
  )
}

/** A person fills in the fields in any order; the model reads them in the order of the form. */
export function inFieldOrder({ properties = {} }: JsonSchema, values: JsonObject): JsonObject {
  const known = Object.keys(properties).flatMap((key) => {
    const value = values[key]
    return value === undefined ? [] : [[key, value] as const]
  })
  return { ...Object.fromEntries(known), ...values }
}
