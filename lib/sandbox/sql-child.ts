/**
 * The child process of the SQL port: opens one database read-only and runs one statement at a time, with
 * answers of limited size.
 */
import readline from 'node:readline'
import type { JsonValue } from '#lib/spec/json'
import type { SqlRows } from '#lib/spec/sandbox'
import { Database, type SqliteConnection } from '#lib/sqlite/driver'
import type { SqlAsk, SqlSaid } from './sql-wire'

/** A longer text in one cell is cut, because a model would not read it to the end. */
const maxCellChars = 20_000
const shownBlobBytes = 32

function say(said: SqlSaid): void {
  process.stdout.write(`${JSON.stringify(said)}\n`)
}

function open(file: string): SqliteConnection {
  const database = new Database(file, { readonly: true, fileMustExist: true, timeout: 1_000 })
  database.pragma('query_only = on')
  database.pragma('trusted_schema = off')
  // Temporary data that does not fit in memory must cause an error instead of filling the disk.
  database.pragma('temp_store = memory')
  database.pragma('schema_version')
  database.defaultSafeIntegers(true)
  return database
}

function answer(database: SqliteConnection, ask: SqlAsk): SqlSaid {
  try {
    const statement = database.prepare(ask.sql)
    if (!statement.reader || !statement.readonly) {
      return {
        type: 'failed',
        code: 'not_one_read',
        message: 'Only a statement that reads may run here.',
        cpuMs: cpuMs(),
      }
    }
    return { type: 'rows', value: read(statement, ask), cpuMs: cpuMs() }
  } catch (error) {
    return {
      type: 'failed',
      code: 'sql_error',
      message: error instanceof Error ? error.message : String(error),
      cpuMs: cpuMs(),
    }
  }
}

function read(statement: ReturnType<SqliteConnection['prepare']>, ask: SqlAsk): SqlRows {
  const columns = statement.columns().map((each) => each.name)
  const rows: JsonValue[][] = []
  let bytes = 0
  let truncated = false
  for (const raw of statement.raw(true).iterate(...ask.parameters.map(toSql))) {
    if (rows.length >= ask.maxRows) return { columns, rows, truncated: true }
    const row = (raw as unknown[]).map((value) => {
      const cell = toJson(value)
      truncated ||= cell.cut
      return cell.value
    }) // cast: raw statements return arrays
    bytes += Buffer.byteLength(JSON.stringify(row)) + 1
    if (bytes > ask.maxBytes) return { columns, rows, truncated: true }
    rows.push(row)
  }
  return { columns, rows, truncated }
}

function toSql(value: JsonValue): string | number | bigint | null {
  if (typeof value === 'boolean') return value ? 1n : 0n
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value
  if (typeof value === 'object' && value !== null) return JSON.stringify(value)
  return value
}

/**
 * Integers past 2^53 and infinities become texts, since JSON would change them; a
 * blob becomes SQL's own x'…'.
 */
function toJson(value: unknown): { value: JsonValue; cut: boolean } {
  if (typeof value === 'bigint') {
    const exact = BigInt.asIntN(54, value) === value && Number.isSafeInteger(Number(value))
    return { value: exact ? Number(value) : value.toString(), cut: false }
  }
  if (typeof value === 'number') return { value: Number.isFinite(value) ? value : String(value), cut: false }
  if (value === null || value === undefined) return { value: null, cut: false }
  if (Buffer.isBuffer(value)) {
    const shown = `x'${value.subarray(0, shownBlobBytes).toString('hex')}'`
    return { value: value.length > shownBlobBytes ? `${shown} (${value.length} bytes)` : shown, cut: false }
  }
  const text = String(value)
  if (text.length <= maxCellChars) return { value: text, cut: false }
  // Never cut inside a surrogate pair.
  const kept = text.slice(0, maxCellChars).replace(/[\uD800-\uDBFF]$/, '')
  return { value: `${kept}… (${text.length - kept.length} more characters)`, cut: true }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return Math.round((user + system) / 1_000)
}

function main(): void {
  let database: SqliteConnection
  try {
    database = open(process.argv[2] ?? '')
  } catch (error) {
    say({ type: 'unavailable', message: error instanceof Error ? error.message : String(error) })
    return
  }
  say({ type: 'opened' })
  const lines = readline.createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })
  lines.on('line', (line) => {
    const ask: SqlAsk = JSON.parse(line)
    say(answer(database, ask))
  })
  lines.on('close', () => process.exit(0))
}

main()
