/** The ports through which tools reach what is not theirs: today, read-only SQL over registered databases. */
import type { JsonValue } from './json'

export interface SqlRows {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly JsonValue[])[]
  /** True when a bound on rows or bytes cut the answer. */
  readonly truncated: boolean
}

export type SqlAnswer =
  | { readonly ok: true; readonly value: SqlRows }
  | { readonly ok: false; readonly code: SqlFault; readonly message: string }

export type SqlFault =
  | 'unknown_database'
  | 'not_one_read'
  | 'sql_error'
  | 'timeout'
  | 'aborted'
  | 'unavailable'

/** Runs one read statement in a child process on a database opened read-only; never throws. */
export interface SqlPort {
  /** Names of the registered databases, sorted. */
  databases(): readonly string[]
  query(request: SqlRequest, signal: AbortSignal): Promise<SqlAnswer>
}

export interface SqlRequest {
  readonly database: string
  readonly sql: string
  readonly parameters?: readonly JsonValue[]
  readonly maxRows?: number
  /** Without it the statement may go on until the signal aborts. */
  readonly timeoutMs?: number
}
