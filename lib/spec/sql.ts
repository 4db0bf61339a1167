/** The port through which tools reach databases: one statement is read, checked without running, or written. */
import type { JsonValue } from './json'
import type { WaitInLine } from './turns'

export type SqlDialect = 'sqlite' | 'postgresql'

export interface SqlRows {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly JsonValue[])[]
  /** True when a limit on rows or bytes cut the answer. */
  readonly truncated: boolean
  /** Where the request wanted it and the answer was cut: a longer part of the same answer. */
  readonly csv?: SqlCsv
}

/** Rows as a CSV text with a head; `truncated` when its own limit cut it too. */
export interface SqlCsv {
  readonly text: string
  readonly rows: number
  readonly truncated: boolean
}

export type SqlFault =
  | 'unknown_database'
  | 'not_one_read'
  | 'not_one_write'
  /** The database may only be read. */
  | 'not_writable'
  /** The statement would have changed more rows than it may, so nothing was changed. */
  | 'too_many_rows'
  | 'sql_error'
  | 'timeout'
  | 'aborted'
  /** No process became free within the longest allowed wait. */
  | 'busy'
  | 'unavailable'
  /** The connection broke while a change was being stored. */
  | 'outcome_unknown'

export interface SqlFailure {
  readonly ok: false
  readonly code: SqlFault
  readonly message: string
  /** Where the mistake is in the statement, counted in characters from 0; absent when that is not known. */
  readonly offset?: number
  /** The name in the statement that the database does not have. */
  readonly unknown?: UnknownName
}

export interface UnknownName {
  readonly kind: 'table' | 'column'
  /** As the statement writes it, with a qualifier if it has one: `c.nmae`. */
  readonly name: string
}

export type SqlAnswer = { readonly ok: true; readonly value: SqlRows } | SqlFailure

/** What is known of a statement that was not run. */
export type SqlChecked = { readonly ok: true; readonly columns: readonly string[] } | SqlFailure

export type SqlWritten =
  /** `rows` are those of a RETURNING clause. */
  { readonly ok: true; readonly changed: number; readonly value: SqlRows } | SqlFailure

/** Runs one statement in a child process; never throws. */
export interface SqlPort {
  /** Names of the registered databases, sorted. */
  databases(): readonly string[]
  /** `sqlite` also for a name that is not registered. */
  dialectOf(database: string): SqlDialect
  /** Reads, on a connection that can only read. */
  query(request: SqlRequest, signal: AbortSignal): Promise<SqlAnswer>
  /** Lets the database read the statement as `query` would, without running it. */
  check(request: SqlTarget, signal: AbortSignal): Promise<SqlChecked>
  /** Changes rows, in a transaction of its own, where a person has allowed that for the database. */
  write(request: SqlWriteRequest, signal: AbortSignal): Promise<SqlWritten>
}

export interface SqlTarget {
  /** A registered name; with `file`, any name for messages. */
  readonly database: string
  /** A file of the thread to query in place of a registered database. */
  readonly file?: SqlFile
  readonly sql: string
  /** Without it the statement runs until the signal aborts. Waiting for a free process does not count. */
  readonly timeoutMs?: number
  /** How the caller waits for a free process. */
  readonly inLine?: WaitInLine
}

export interface SqlRequest extends SqlTarget {
  readonly parameters?: readonly JsonValue[]
  readonly maxRows?: number
  /** Whether an answer with more rows than `maxRows` also comes as CSV. */
  readonly wantsCsv?: boolean
}

export interface SqlWriteRequest extends Omit<SqlTarget, 'file'> {
  /** A statement that would change more rows is undone. */
  readonly maxChanged: number
}

/** A CSV or XLSX file whose sheets are the tables of a database in memory. */
export interface SqlFile {
  /** Equal for equal contents, so that what was read can serve again. */
  readonly key: string
  content(): AsyncIterable<Uint8Array>
}
