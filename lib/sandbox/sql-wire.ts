/** The messages between the SQL port and its child process, one JSON text per line. */
import type { JsonValue } from '#lib/spec/json'
import type { SqlRows } from '#lib/spec/sandbox'

export interface SqlAsk {
  readonly sql: string
  readonly parameters: readonly JsonValue[]
  readonly maxRows: number
  readonly maxBytes: number
}

/**
 * `opened` comes first and once; then one `rows` or `failed` for each statement, with the
 * child's processor time so far.
 */
export type SqlSaid =
  | { readonly type: 'opened' }
  | { readonly type: 'unavailable'; readonly message: string }
  | { readonly type: 'rows'; readonly value: SqlRows; readonly cpuMs: number }
  | {
      readonly type: 'failed'
      readonly code: 'sql_error' | 'not_one_read'
      readonly message: string
      readonly cpuMs: number
    }
