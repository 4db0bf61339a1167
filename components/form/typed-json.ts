/** Reads JSON that a person types: a value, nothing, or one sentence with the line on which it is invalid. */
import { type JsonValue, tryParseJson } from '#lib/spec/json'
import { faultOf } from './json-fault'

export type ReadJson =
  | { readonly ok: true; readonly value: JsonValue | undefined }
  | { readonly ok: false; readonly reason: string }

export function readJson(text: string): ReadJson {
  if (text.trim() === '') return { ok: true, value: undefined }
  const value = tryParseJson(text)
  if (value !== undefined) return { ok: true, value }
  const { line, what } = faultOf(text)
  return { ok: false, reason: `Not JSON yet, line ${line}: ${what}.` }
}
