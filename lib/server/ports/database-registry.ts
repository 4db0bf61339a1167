/**
 * The databases that a person has registered: SQLite files of this machine, stored by name in the settings.
 */
import { closeSync, openSync, readSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { AppError } from '#lib/spec/errors'
import type { SettingsStore } from '#lib/spec/store'
import type { DatabaseList, DatabaseView, RegisterDatabase } from '#lib/wire/databases'
import { sampleName } from './databases'

const key = 'databases'
const stored = z.record(z.string(), z.string())
/** The first bytes of every SQLite file. */
const header = 'SQLite format 3\0'

/** Name → absolute path, sorted by name. */
export function registeredDatabases(settings: SettingsStore): Record<string, string> {
  const read = stored.safeParse(settings.get(key) ?? {})
  const entries = Object.entries(read.success ? read.data : {})
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** SQLite files that SQL tools may read. */
export interface DatabaseRegistry {
  list(): DatabaseList
  register(request: RegisterDatabase): DatabaseView
  remove(name: string): void
}

/** @param own the folder of the server's own files, which no tool may read */
export function createRegistry(settings: SettingsStore, own: string): DatabaseRegistry {
  const sample: DatabaseView = { name: sampleName, path: null, sample: true }
  return {
    list: () => {
      const registered = Object.entries(registeredDatabases(settings))
      return { items: [sample, ...registered.map(([name, file]) => ({ name, path: file, sample: false }))] }
    },
    register: ({ name, path: file }) => {
      if (name === sampleName) {
        throw new AppError(
          'name_taken',
          `${name} is the sample that comes with Loopwright; choose another name.`,
          { path: 'name' },
        )
      }
      const known = registeredDatabases(settings)
      checkFile(file, own)
      settings.set(key, { ...known, [name]: file })
      return { name, path: file, sample: false }
    },
    remove: (name) => {
      const { [name]: gone, ...rest } = registeredDatabases(settings)
      if (name === sampleName)
        throw new AppError('conflict', `${name} comes with Loopwright and cannot be removed.`)
      if (gone === undefined) throw new AppError('not_found', `No database is registered as ${name}.`)
      settings.set(key, rest)
    },
  }
}

function checkFile(file: string, own: string): void {
  if (!path.isAbsolute(file)) throw wrong('The path must be absolute, as in /home/me/sales.db.')
  let size: number
  try {
    const found = statSync(file)
    if (!found.isFile()) throw wrong(`${file} is not a file.`)
    if (isOwn(file, own)) throw wrong('This is a file of Loopwright itself.')
    size = found.size
    if (size === 0 || startsLikeSqlite(file)) return
  } catch (error) {
    if (error instanceof AppError) throw error
    throw wrong(`${file} cannot be read on the server’s machine.`)
  }
  throw wrong(`${file} is not a SQLite database.`)
}

const ownFiles = ['loopwright.db', 'lock.db'].flatMap((name) =>
  ['', '-wal', '-shm', '-journal'].map((suffix) => `${name}${suffix}`),
)

/** Whether the file is one of the server's own, under any name or link. */
function isOwn(file: string, own: string): boolean {
  const real = realpathSync(file)
  const { dev, ino } = statSync(file, { bigint: true })
  return ownFiles.some((name) => {
    const found = statSync(path.join(own, name), { bigint: true, throwIfNoEntry: false })
    if (found === undefined) return false
    return (found.dev === dev && found.ino === ino) || realpathSync(path.join(own, name)) === real
  })
}

function startsLikeSqlite(file: string): boolean {
  const descriptor = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(header.length)
    readSync(descriptor, bytes, 0, bytes.length, 0)
    return bytes.toString('latin1') === header
  } finally {
    closeSync(descriptor)
  }
}

function wrong(message: string): AppError {
  return new AppError('unprocessable', message, { path: 'path' })
}
