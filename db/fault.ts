/** Classifies faults of the database file, so that callers can wait, stop, or refuse with a clear message. */

import { AppError } from '#lib/spec/errors'
import type { StoreTrouble } from '#lib/spec/store-health'

/** `busy`: another process holds the lock, and trying again helps. The others are those of `StoreTrouble`. */
export type StoreFault = 'busy' | StoreTrouble['fault']

/**
 * The file is no longer the database that was opened, and nothing more is written to it.
 * `message` is for a person.
 */
export class BrokenDatabase extends AppError {
  /** At startup only the message is printed, without a stack trace. */
  readonly expected = true
  constructor(message: string, cause?: unknown) {
    super('unavailable', message)
    this.name = 'BrokenDatabase'
    this.cause = cause
  }
}

/** The fault behind an error thrown by a store; undefined if the error is a bug in this program. */
export function storeFault(error: unknown): StoreFault | undefined {
  if (error instanceof BrokenDatabase) return 'broken'
  if (!(error instanceof Error) || !('code' in error)) return undefined
  const code = String(error.code)
  if (isAny(code, 'SQLITE_BUSY', 'SQLITE_LOCKED')) return 'busy'
  if (code === 'SQLITE_FULL') return 'full'
  if (isAny(code, 'SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_READONLY_DBMOVED')) return 'broken'
  // Every statement fits the migrated schema, so the file must have been replaced.
  if (code === 'SQLITE_ERROR' && /^no such (table|column)/.test(error.message)) return 'broken'
  if (isAny(code, 'SQLITE_IOERR', 'SQLITE_READONLY', 'SQLITE_CANTOPEN', 'SQLITE_PROTOCOL')) return 'io'
  return undefined
}

/** Whether the code is one of these, or an extended form of one. */
function isAny(code: string, ...codes: readonly string[]): boolean {
  return codes.some((each) => code.startsWith(each))
}

/**
 * The database cannot be used in its present state; `message` is one sentence for the operator. Nothing has
 * been changed or deleted.
 */
export class UnusableDatabase extends Error {
  /** At startup only the message is printed, without a stack trace. */
  readonly expected = true
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'UnusableDatabase'
  }
}
