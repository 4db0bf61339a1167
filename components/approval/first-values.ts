/** The values with which the form of a question begins. Pure. */
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
