/** A table as CSV (RFC 4180) in which no cell is a formula. Pure. */
import type { JsonValue } from '#lib/spec/json'

export function csvOf(columns: readonly string[], rows: readonly (readonly JsonValue[])[]): string {
  return [columns, ...rows].map((row) => columns.map((_, index) => field(row[index])).join(',')).join('\r\n')
}

function field(value: JsonValue | undefined): string {
  const text = cellOf(value)
  // In some countries spreadsheets separate cells by semicolons, and pasted text is separated by tabs.
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function cellOf(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? withoutFormula(value) : JSON.stringify(value)
}

/** What a spreadsheet reads as the start of a formula, or skips before one. */
const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/
const plainNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/

/** After an apostrophe, a spreadsheet shows the text and computes nothing. */
function withoutFormula(text: string): string {
  return formulaStart.test(text) && !plainNumber.test(text) ? `'${text}` : text
}
