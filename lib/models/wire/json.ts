/** Reads JSON from a provider without relying on its shape. */
import { isObject, type JsonObject, type JsonValue } from '#lib/spec/json'

/** The object under a key; empty if there is none. */
export function objectIn(value: JsonObject, key: string): JsonObject {
  const found = value[key]
  return isObject(found) ? found : {}
}

export function listIn(value: JsonObject, key: string): readonly JsonValue[] {
  const found = value[key]
  return Array.isArray(found) ? found : []
}

/** The text under a key; empty if there is none. */
export function textIn(value: JsonObject, key: string): string {
  const found = value[key]
  return typeof found === 'string' ? found : ''
}

/** A non-negative integer; undefined for anything else. */
export function countIn(value: JsonObject, key: string): number | undefined {
  const found = value[key]
  return typeof found === 'number' && Number.isSafeInteger(found) && found >= 0 ? found : undefined
}
