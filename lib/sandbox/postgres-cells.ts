/** Values of PostgreSQL, which come as texts, as JSON can hold them without loss. */
import { tryParseJson } from '#lib/spec/json'
import { type ShownCell, textCell } from './sql-rows'

/** The numbers by which PostgreSQL knows its types. */
const types = { bool: 16, bytea: 17, json: 114, jsonb: 3802, numeric: 1700 }
const integers = new Set([20, 21, 23, 26])
const floats = new Set([700, 701])
const shownBytes = 32
/** A longer number may have more digits than a double keeps. */
const exactDigits = 15
const longestJson = 20_000

export function postgresCell(text: string | null, type: number): ShownCell {
  if (text === null) return { value: null, cut: false }
  if (type === types.bool) return { value: text === 't', cut: false }
  if (integers.has(type))
    return { value: Number.isSafeInteger(Number(text)) ? Number(text) : text, cut: false }
  if (floats.has(type)) return { value: Number.isFinite(Number(text)) ? Number(text) : text, cut: false }
  if (type === types.numeric) return { value: exactNumber(text) ?? text, cut: false }
  if (type === types.bytea) return bytesCell(text)
  if ((type === types.json || type === types.jsonb) && text.length <= longestJson) {
    const value = tryParseJson(text)
    if (value !== undefined) return { value, cut: false }
  }
  return textCell(text)
}

function exactNumber(text: string): number | undefined {
  const digits = text.replace(/^-?0*|\./g, '')
  return /^-?\d+(\.\d+)?$/.test(text) && digits.length <= exactDigits ? Number(text) : undefined
}

/** `\x00ff`, as the server writes bytes. */
function bytesCell(text: string): ShownCell {
  const bytes = (text.length - 2) / 2
  const shown = text.slice(0, 2 + shownBytes * 2)
  return { value: bytes > shownBytes ? `${shown} (${bytes} bytes)` : shown, cut: false }
}
