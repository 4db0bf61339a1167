/** Collects the rows of an answer within its limits, and a longer part of them as CSV. */
import type { JsonValue } from '#lib/spec/json'
import type { SqlRows } from '#lib/spec/sql'

/** A longer text in one cell is cut, because a model would not read it to the end. */
const maxCellChars = 20_000
const maxCsvRows = 50_000
const maxCsvBytes = 4 * 1024 * 1024

/** A value as JSON can hold it, and whether it is only a part. */
export interface ShownCell {
  readonly value: JsonValue
  readonly cut: boolean
}

export interface RowLimits {
  readonly maxRows: number
  readonly maxBytes: number
  readonly wantsCsv?: boolean
}

export class RowCollector {
  private readonly rows: JsonValue[][] = []
  private bytes = 0
  private truncated = false
  private isFull = false
  private readonly csv: string[] = []
  private csvBytes = 0
  private isCsvFull = false

  constructor(
    private readonly columns: readonly string[],
    private readonly limits: RowLimits,
  ) {
    this.isCsvFull = limits.wantsCsv !== true
  }

  /** Takes one row; false when no further row is needed. */
  add(cells: readonly ShownCell[]): boolean {
    this.addCsv(cells)
    if (!this.isFull) this.addRow(cells)
    return !(this.isFull && this.isCsvFull)
  }

  done(): SqlRows {
    const { columns, rows, truncated } = this
    if (!this.isFull || this.csv.length <= rows.length) return { columns, rows, truncated }
    const text = [csvLine(columns), ...this.csv].join('')
    return { columns, rows, truncated, csv: { text, rows: this.csv.length, truncated: this.isCsvFull } }
  }

  private addRow(cells: readonly ShownCell[]): void {
    const row = cells.map(({ value }) => value)
    const bytes = Buffer.byteLength(JSON.stringify(row)) + 1
    this.isFull = this.rows.length >= this.limits.maxRows || this.bytes + bytes > this.limits.maxBytes
    this.truncated ||= this.isFull || cells.some(({ cut }) => cut)
    if (this.isFull) return
    this.bytes += bytes
    this.rows.push(row)
  }

  private addCsv(cells: readonly ShownCell[]): void {
    if (this.isCsvFull) return
    const line = csvLine(cells.map(({ value }) => value))
    const bytes = Buffer.byteLength(line)
    this.isCsvFull = this.csv.length >= maxCsvRows || this.csvBytes + bytes > maxCsvBytes
    if (this.isCsvFull) return
    this.csvBytes += bytes
    this.csv.push(line)
  }
}

/** One line of a CSV file, as in RFC 4180. */
function csvLine(values: readonly JsonValue[]): string {
  const fields = values.map((value) => {
    if (value === null) return ''
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  })
  return `${fields.join(',')}\r\n`
}

export function textCell(text: string): ShownCell {
  if (text.length <= maxCellChars) return { value: text, cut: false }
  // Never cut inside a surrogate pair.
  const kept = text.slice(0, maxCellChars).replace(/[\uD800-\uDBFF]$/, '')
  return { value: `${kept}… (${text.length - kept.length} more characters)`, cut: true }
}

/** The processor time of this process so far. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return Math.round((user + system) / 1_000)
}

/** A parameter as databases take it. */
export function toSql(value: JsonValue): string | number | boolean | null {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}
