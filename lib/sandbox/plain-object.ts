/** Tells JSON objects from other values, for child programs: they cannot load zod, which `lib/spec/json` needs. */
import type { JsonObject, JsonValue } from '#lib/spec/json'

export function isPlainObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
