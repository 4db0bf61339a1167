/** Texts of a document, which anybody may have written: without control characters, and short enough. */
import type { JsonValue } from '#lib/spec/json'

export function cleanText(value: JsonValue | undefined, most: number): string {
  if (typeof value !== 'string') return ''
  const text = value
    // Control characters, and characters that show nothing or change the direction of others.
    .replace(/[\p{Cc}\p{Cf}]/gu, (char) => (char === '\n' || char === '\t' ? char : ''))
    .trim()
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`
}
