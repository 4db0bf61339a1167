/**
 * The child process for SQLite: opens one database, or fills one in memory, and runs one statement at a time, with
 * answers of limited size.
 */
import readline from 'node:readline'
import type { SqlRows } from '#lib/spec/sql'
import { Database, type SqliteConnection, type SqliteStatement } from '#lib/sqlite/driver'
import { cpuMs, RowCollector, type ShownCell, textCell, toSql } from './sql-rows'
import type { SqlAsk, SqlDone, SqlFacts, SqlFill, SqlRead, SqlSaid, SqlWrite } from './sql-wire'
import { locateFault } from './sqlite-faults'

const shownBlobBytes = 32

function say(said: SqlSaid): void {
  process.stdout.write(`${JSON.stringify(said)}\n`)
}

function open(file: string, isWritable: boolean): SqliteConnection {
  const database = new Database(file, { readonly: !isWritable, fileMustExist: true, timeout: 1_000 })
  secure(database)
  if (!isWritable) database.pragma('query_only = on')
  database.pragma('schema_version')
  return database
}

function secure(database: SqliteConnection): void {
  database.pragma('trusted_schema = off')
  // Temporary data that does not fit in memory must cause an error instead of filling the disk.
  database.pragma('temp_store = memory')
  database.defaultSafeIntegers(true)
}

/** Thrown for a statement that is not of the kind that may run. */
class Unfit extends Error {
  constructor(
    readonly code: 'not_one_read' | 'not_one_write' | 'too_many_rows',
    message: string,
  ) {
    super(message)
  }
}

function answer(database: SqliteConnection, ask: Exclude<SqlAsk, { type: 'cancel' }>): SqlSaid {
  try {
    return { ...done(database, ask), cpuMs: cpuMs() }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    if (error instanceof Unfit) return { type: 'failed', code: error.code, message, cpuMs: cpuMs() }
    const compile = (sql: string) => messageOf(database, sql)
    const place = 'sql' in ask ? locateFault(ask.sql, message, compile) : {}
    return { type: 'failed', code: 'sql_error', message, ...place, cpuMs: cpuMs() }
  }
}

function messageOf(database: SqliteConnection, sql: string): string | undefined {
  try {
    database.prepare(sql)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function done(database: SqliteConnection, ask: Exclude<SqlAsk, { type: 'cancel' }>): SqlDone {
  switch (ask.type) {
    case 'read':
      return { type: 'rows', value: rowsOf(reading(database, ask.sql), ask) }
    case 'check':
      return {
        type: 'checked',
        columns: reading(database, ask.sql)
          .columns()
          .map(({ name }) => name),
      }
    case 'write':
      return write(database, ask)
    case 'facts':
      return { type: 'facts', facts: factsOf(database) }
    default:
      return ask satisfies never
  }
}

/** A statement that is known to read only. */
function reading(database: SqliteConnection, sql: string): SqliteStatement {
  const statement = database.prepare(sql)
  if (statement.reader && statement.readonly) return statement
  throw new Unfit('not_one_read', 'Only a statement that reads may run here.')
}

function rowsOf(statement: SqliteStatement, ask: SqlRead): SqlRows {
  const collector = new RowCollector(
    statement.columns().map(({ name }) => name),
    ask,
  )
  const parameters = ask.parameters.map((each) => bindable(toSql(each)))
  for (const raw of statement.raw(true).iterate(...parameters)) {
    if (!collector.add((raw as unknown[]).map(toCell))) break // cast: raw statements return arrays
  }
  return collector.done()
}

/** One statement in a transaction, which is undone when it fails or changes too many rows. */
function write(database: SqliteConnection, ask: SqlWrite): SqlDone {
  const statement = database.prepare(ask.sql)
  if (statement.readonly)
    throw new Unfit('not_one_write', 'This statement changes nothing; only one that does may run here.')
  const run = database.transaction((): SqlDone => {
    const value = statement.reader ? returned(statement, ask) : nothing(statement)
    const changed = Number(database.prepare('select changes()').pluck().get())
    if (changed > ask.maxChanged)
      throw new Unfit(
        'too_many_rows',
        `The statement would change more than ${ask.maxChanged} rows, which is its limit. Nothing was changed.`,
      )
    return { type: 'written', changed, value }
  })
  return run.immediate()
}

/** A statement with RETURNING has changed every row only when its rows are read to the end. */
function returned(statement: SqliteStatement, ask: SqlWrite): SqlRows {
  const collector = new RowCollector(
    statement.columns().map(({ name }) => name),
    ask,
  )
  for (const raw of statement.raw(true).iterate()) collector.add((raw as unknown[]).map(toCell)) // cast: raw statements return arrays
  return collector.done()
}

function nothing(statement: SqliteStatement): SqlRows {
  statement.run()
  return { columns: [], rows: [], truncated: false }
}

function factsOf(database: SqliteConnection): SqlFacts {
  const version = database.prepare('select sqlite_version()').pluck().get()
  const tables = database
    .prepare(
      "select count(*) from sqlite_schema where type in ('table', 'view') and name not like 'sqlite\\_%' escape '\\'",
    )
    .pluck()
    .get()
  return { version: `SQLite ${version}`, tables: Number(tables) }
}

/** SQLite keeps whole numbers exactly only if they are given as such, and has no booleans. */
function bindable(value: string | number | boolean | null): string | number | bigint | null {
  if (typeof value === 'boolean') return value ? 1n : 0n
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value
}

/**
 * Integers past 2^53 and infinities become texts, since JSON would change them; a
 * blob becomes SQL's own x'…'.
 */
function toCell(value: unknown): ShownCell {
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
  return textCell(String(value))
}

/** A database in memory that is filled line by line, in one transaction. */
class Filling {
  readonly database = new Database(':memory:')
  private insert: SqliteStatement | undefined

  constructor() {
    secure(this.database)
    this.database.exec('begin')
  }

  /** True once everything is filled. */
  take(line: SqlFill): boolean {
    if (line.type === 'table') {
      const columns = line.columns.map(({ name, type }) => `${quote(name)} ${type}`)
      this.database.exec(`create table ${quote(line.name)} (${columns.join(', ')})`)
      const marks = line.columns.map(() => '?').join(', ')
      this.insert = this.database.prepare(`insert into ${quote(line.name)} values (${marks})`)
    } else if (line.type === 'fill') for (const row of line.rows) this.insert?.run(...row.map(bindable))
    else {
      this.database.exec('commit')
      this.database.pragma('query_only = on')
    }
    return line.type === 'filled'
  }
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** @param filling the database in memory, as long as it is not complete */
function serve(given: SqliteConnection | undefined, filling: Filling | undefined): void {
  let database = given
  const lines = readline.createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })
  lines.on('line', (line) => {
    const said: SqlAsk | SqlFill = JSON.parse(line)
    if (database !== undefined) {
      if (said.type === 'read' || said.type === 'check' || said.type === 'write' || said.type === 'facts')
        say(answer(database, said))
      return
    }
    try {
      if (filling?.take(said as SqlFill) !== true) return // cast: the port fills before it asks
      database = filling.database
      say({ type: 'opened' })
    } catch (error) {
      say({ type: 'unavailable', message: error instanceof Error ? error.message : String(error) })
      process.exitCode = 1
      lines.close()
    }
  })
  lines.on('close', () => process.exit())
}

function main([file = '', mode = 'read']: readonly string[]): void {
  if (mode === 'memory') {
    serve(undefined, new Filling())
    return
  }
  let database: SqliteConnection
  try {
    database = open(file, mode === 'write')
  } catch (error) {
    say({ type: 'unavailable', message: error instanceof Error ? error.message : String(error) })
    return
  }
  say({ type: 'opened' })
  serve(database, undefined)
}

main(process.argv.slice(2))
