/** The messages between the SQL port and its child processes, one JSON text per line. */
import type { JsonValue } from '#lib/spec/json'
import type { SqlFailure, SqlRows } from '#lib/spec/sql'
import type { SqlCell, SqlTableColumn } from './sql-tables'

/** The first line for a child that connects to PostgreSQL. */
export interface PostgresConnection {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
  readonly password: string
  readonly tls: PostgresTls
  /** Certificates in PEM that are trusted in place of the system's. */
  readonly certificate?: string
  /** The longest time that the server works on one statement. */
  readonly statementSeconds: number
}

/** `verify`: the certificate must be valid for the host. `unverified`: encrypted to whoever answers. `off`: not encrypted. */
type PostgresTls = 'verify' | 'unverified' | 'off'

/** What a connection may do. */
export type SqlMode = 'read' | 'write'

/** The lines that fill a database in memory, before the first statement. */
export type SqlFill =
  | { readonly type: 'table'; readonly name: string; readonly columns: readonly SqlTableColumn[] }
  | { readonly type: 'fill'; readonly rows: readonly (readonly SqlCell[])[] }
  | { readonly type: 'filled' }

export interface SqlRead {
  readonly type: 'read'
  readonly sql: string
  readonly parameters: readonly JsonValue[]
  readonly maxRows: number
  readonly maxBytes: number
  readonly wantsCsv: boolean
}
export interface SqlWrite {
  readonly type: 'write'
  readonly sql: string
  readonly maxChanged: number
  readonly maxRows: number
  readonly maxBytes: number
}

export type SqlAsk =
  | SqlRead
  | SqlWrite
  | { readonly type: 'check'; readonly sql: string }
  | { readonly type: 'facts' }
  /** Stops the statement on the server; the child then ends. */
  | { readonly type: 'cancel' }

/** What a test of a database found. */
export interface SqlFacts {
  /** `PostgreSQL 18.4` */
  readonly version: string
  /** The role of the connection; absent for a file. */
  readonly role?: string
  readonly tables: number
  /** In how many of the tables the role may change rows. */
  readonly writable?: number
  readonly encrypted?: boolean
}

/** `opened` comes first and once; then one answer for each statement, with the child's processor time so far. */
export type SqlSaid =
  | { readonly type: 'opened' }
  /** `message` may be shown to a model; `detail`, for a person in the settings, may name the host or the role. */
  | { readonly type: 'unavailable'; readonly message: string; readonly detail?: string }
  | (SqlDone & { readonly cpuMs: number })
  | (Omit<SqlFailure, 'ok'> & { readonly type: 'failed'; readonly cpuMs: number })

export type SqlDone =
  | { readonly type: 'rows'; readonly value: SqlRows }
  | { readonly type: 'checked'; readonly columns: readonly string[] }
  | { readonly type: 'written'; readonly changed: number; readonly value: SqlRows }
  | { readonly type: 'facts'; readonly facts: SqlFacts }
