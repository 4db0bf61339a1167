/**
 * Commits that reach the disk a little later: the transaction does not wait for the disk, and `sync` does, without
 * blocking the event loop. Every other transaction of the connection still waits (`synchronous = FULL`).
 */
import { closeSync, fdatasync, fdatasyncSync, fsyncSync, openSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import type { SqliteConnection } from '#lib/sqlite/driver'

const fdatasyncLater = promisify(fdatasync)

export interface LateSync {
  /** Runs a transaction whose commit is not yet safe from a power cut. Readers see it at once. */
  write<T>(transaction: () => T): T
  /** Resolves when all that was written before is on disk; concurrent callers share the wait. */
  sync(): Promise<void>
  /** The same, blocking. */
  syncNow(): void
  /** Call this before the connection closes. */
  close(): void
}

/**
 * In WAL mode a commit is durable once its frames in the log are on disk, and frames count only if all frames
 * before them are there (https://www.sqlite.org/wal.html). So one `fdatasync` of the log makes every earlier
 * commit durable, whichever connection or thread asks for it.
 */
export function lateSync(client: Pick<SqliteConnection, 'name' | 'exec'>): LateSync {
  let log: number | undefined
  /** How many late transactions were written, and how many of them are on disk. */
  let written = 0
  let synced = 0
  let inFlight: Promise<void> | undefined

  /** The log exists from the first write until the last connection closes. */
  function descriptor(): number {
    if (log === undefined) {
      log = openSync(`${client.name}-wal`, 'r+')
      syncFolder(path.dirname(client.name))
    }
    return log
  }

  async function begin(): Promise<void> {
    const upTo = written
    try {
      await fdatasyncLater(descriptor())
      synced = Math.max(synced, upTo)
    } catch (error) {
      throw new SyncFault(error)
    } finally {
      inFlight = undefined
    }
  }

  return {
    write(transaction) {
      // `exec` makes no statement object, unlike `pragma`, and this is the hottest write.
      client.exec('pragma synchronous = NORMAL')
      try {
        return transaction()
      } finally {
        written += 1
        client.exec('pragma synchronous = FULL')
      }
    },
    async sync() {
      const upTo = written
      // A sync that is under way may have begun before the newest transaction.
      while (synced < upTo) {
        inFlight ??= begin()
        await inFlight
      }
    },
    syncNow() {
      if (synced === written) return
      try {
        fdatasyncSync(descriptor())
      } catch (error) {
        throw new SyncFault(error)
      }
      synced = written
    },
    close() {
      const descriptor = log
      log = undefined
      if (descriptor === undefined) return
      // A sync that is under way still needs it.
      if (inFlight === undefined) closeSync(descriptor)
      else void inFlight.catch(() => undefined).then(() => closeSync(descriptor))
    },
  }
}

/** The log could not be written to the disk. It has the code that SQLite gives when its own attempt fails. */
class SyncFault extends Error {
  readonly code: 'SQLITE_FULL' | 'SQLITE_IOERR_FSYNC'
  constructor(cause: unknown) {
    super('the log could not be written to the disk', { cause })
    const isFull = cause instanceof Error && 'code' in cause && fullCodes.has(String(cause.code))
    this.code = isFull ? 'SQLITE_FULL' : 'SQLITE_IOERR_FSYNC'
  }
}

const fullCodes: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT'])

/** The name of a new file is on disk only after its folder is. Windows cannot open a folder and does not need it. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
