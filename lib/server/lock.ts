/**
 * One server per data folder: an exclusive SQLite lock, which the kernel releases however the process ends.
 */
import fs from 'node:fs'
import path from 'node:path'
import { Database, type SqliteConnection } from '#lib/sqlite/driver'
import { StartError } from './start-error'

export interface Lock {
  release(): void
}

/**
 * Locks the folder. A missing folder is created, readable only by this user.
 * Throws a StartError when another server holds the lock (exit code 3), or when the folder cannot be written.
 */
export function lockFolder(folder: string): Lock {
  const file = path.join(folder, 'lock.db')
  let client: SqliteConnection | undefined
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    client = new Database(file, { timeout: 0 })
    // In write-ahead mode other connections could still read; the rollback journal excludes them all.
    client.pragma('journal_mode = DELETE')
    client.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    client?.close()
    throw inWords(error, folder)
  }
  const held = client
  return { release: () => held.close() }
}

function inWords(error: unknown, folder: string): StartError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code.startsWith('SQLITE_BUSY')) {
    const other = 'or start this one with another folder: LOOPWRIGHT_DATA=./other npm start'
    return new StartError(`Another Loopwright server uses the data folder ${folder}. Stop it, ${other}`, 3)
  }
  if (code === 'SQLITE_NOTADB') {
    return new StartError(
      `${path.join(folder, 'lock.db')} is not a lock file of Loopwright. Move it away; Loopwright keeps no data in it.`,
    )
  }
  const reason = error instanceof Error ? error.message : String(error)
  return new StartError(
    `The data folder ${folder} cannot be written (${reason}). Set LOOPWRIGHT_DATA to another folder.`,
  )
}
