/** What may go wrong with the file itself, told apart so that callers can wait, stop, or refuse in words. */

/** `busy`: another process holds the lock, trying again helps. `full` and `io`: nothing can be written now, reading still works. */
export type StoreFault = 'busy' | 'full' | 'io'

/** The fault behind an error thrown by a store; undefined when it is a bug of ours. */
export function storeFault(error: unknown): StoreFault | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) return 'busy'
  if (code === 'SQLITE_FULL') return 'full'
  if (
    code.startsWith('SQLITE_IOERR') ||
    code.startsWith('SQLITE_READONLY') ||
    code.startsWith('SQLITE_CANTOPEN')
  )
    return 'io'
  return undefined
}

/** The database cannot be used as it is; `message` is one sentence for the operator. Nothing has been changed or deleted. */
export class UnusableDatabase extends Error {
  /** Told in words at the start, without a stack. */
  readonly expected = true
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'UnusableDatabase'
  }
}
