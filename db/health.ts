/** The state of the database: faults that statements reported, and faults found by checking the file. */
import { accessSync, constants, statfsSync } from 'node:fs'
import path from 'node:path'
import type { StoreHealth, StoreTrouble } from '#lib/spec/store-health'
import type { SqliteConnection } from '#lib/sqlite/driver'
import { BrokenDatabase, storeFault } from './fault'
import type { FileWatch } from './file-watch'

export interface DatabaseHealth extends StoreHealth {
  /** Records an error that a statement threw and returns the error to throw instead. */
  met(error: unknown): unknown
  /** Throws `BrokenDatabase` if the file is no longer the one that was opened. */
  assertWhole(): void
}

/** The least time between two write attempts while there is a fault, in milliseconds. */
const leastPauseMs = 500
/** With less free space than this the disk counts as full, even if a small write succeeds. */
const leastFreeBytes = 1024 * 1024

export function createHealth(client: SqliteConnection, watch: FileWatch): DatabaseHealth {
  const listeners: ((trouble: StoreTrouble | undefined) => void)[] = []
  let trouble: StoreTrouble | undefined
  /** Only a restart of the server helps. */
  let isFinal = false
  let triedAt = Number.NEGATIVE_INFINITY

  function become(next: StoreTrouble | undefined): void {
    if (next?.message === trouble?.message) return
    trouble = next
    for (const listener of listeners) listener(next)
  }

  function met(error: unknown): unknown {
    const fault = storeFault(error)
    if (fault === undefined || fault === 'busy') return error
    if (fault === 'broken' && !isFinal) {
      isFinal = true
      become(broken(`The database file ${path.basename(client.name)} is damaged or has been overwritten.`))
    } else if (trouble === undefined) become(inWords(fault, error))
    return fault === 'broken' ? new BrokenDatabase(trouble?.message ?? '', error) : error
  }

  function look(): StoreTrouble | undefined {
    if (isFinal) return trouble
    const found = watch.look()
    if (found === undefined) return undefined
    isFinal = found.final
    become(broken(found.words))
    return trouble
  }

  function check(): StoreTrouble | undefined {
    if (look() !== undefined) return trouble
    if (trouble === undefined && canWrite(client.name)) return undefined
    const now = performance.now()
    if (now - triedAt < leastPauseMs) return trouble
    triedAt = now
    if (trouble?.fault === 'full' && isFull(client.name)) return trouble
    try {
      // Writes a page without changing any data.
      client.pragma(`user_version = ${Number(client.pragma('user_version', { simple: true }))}`)
      become(undefined)
    } catch (error) {
      if (storeFault(error) === undefined) become(inWords('io', error))
      else met(error)
    }
    return trouble
  }

  return {
    get trouble() {
      return trouble
    },
    check,
    met,
    onChange: (listener) => {
      listeners.push(listener)
    },
    assertWhole() {
      const found = look()
      if (found !== undefined) throw new BrokenDatabase(found.message)
    },
  }
}

function broken(words: string): StoreTrouble {
  return {
    fault: 'broken',
    message: `${words} Nothing is stored any more and runs are paused. Stop the server, restore the database or a backup of it, and start the server again.`,
  }
}

function inWords(fault: StoreTrouble['fault'], error: unknown): StoreTrouble {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  if (fault === 'full')
    return {
      fault,
      message:
        'The disk of the data folder is full, so nothing can be stored. Free some space; nothing else is needed.',
    }
  const why = code.startsWith('SQLITE_READONLY')
    ? 'The data folder or the database in it is read-only'
    : `The disk of the data folder reports an error (${code})`
  return {
    fault,
    message: `${why}, so nothing can be stored and runs are paused. They continue once the data folder can be written again, or after the next start.`,
  }
}

/** Whether the system allows writing, as far as can be known without writing. */
function canWrite(file: string): boolean {
  try {
    accessSync(file, constants.W_OK)
    accessSync(path.dirname(file), constants.W_OK)
    return true
  } catch {
    return false
  }
}

function isFull(file: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path.dirname(file))
    return bavail * bsize < leastFreeBytes
  } catch {
    return false
  }
}
