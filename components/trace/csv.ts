/** A table as CSV (RFC 4180). Pure. */
import type { JsonValue } from '#lib/spec/json'

export function csvOf(columns: readonly string[], rows: readonly (readonly JsonValue[])[]): string {
  return [columns, ...rows].map((row) => columns.map((_, index) => field(row[index])).join(',')).join('\r\n')
}

function field(value: JsonValue | undefined): string {
  const text =
    value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
