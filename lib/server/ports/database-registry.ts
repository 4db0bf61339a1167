/**
 * The databases that a person has registered: SQLite files of this machine and connections to PostgreSQL, stored by
 * name in the settings, their passwords as secrets.
 */
import { closeSync, openSync, readSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { type DatabaseSource, probeDatabase } from '#lib/sandbox/sql'
import type { SqlMode } from '#lib/sandbox/sql-wire'
import { AppError } from '#lib/spec/errors'
import type { SettingsStore } from '#lib/spec/store'
import {
  type ConnectionView,
  type DatabaseList,
  type DatabaseTest,
  type DatabaseView,
  databaseName,
  nameForm,
  type PasswordView,
  type RegisterDatabase,
  type SaveConnection,
  type TestDatabase,
  type TriedConnection,
} from '#lib/wire/databases'
import { secretName } from '#lib/wire/secrets'
import type { Vault } from '../secrets/secrets'
import { sampleName } from './databases'
import {
  databaseOrigin,
  passwordSecret,
  type StoredConnection,
  type StoredDatabase,
  sourceOf,
  storeDatabases,
  storedDatabases,
} from './stored-databases'

/** The first bytes of every SQLite file. */
const header = 'SQLite format 3\0'

/** Databases that SQL tools may read. */
export interface DatabaseRegistry {
  list(): DatabaseList
  register(request: RegisterDatabase): DatabaseView
  /** Adds a connection, or changes the one of this name. */
  connect(name: string, request: SaveConnection): DatabaseView
  test(name: string, request: TestDatabase, signal: AbortSignal): Promise<DatabaseTest>
  remove(name: string): void
}

interface RegistryContext {
  readonly settings: SettingsStore
  readonly vault: Vault
  /** The folder of the server's own files, which no tool may read. */
  readonly own: string
  /** Every database as tools open it, the sample included. */
  sources(): ReadonlyMap<string, DatabaseSource>
}

export function createRegistry({ settings, vault, own, sources }: RegistryContext): DatabaseRegistry {
  const sample: DatabaseView = { name: sampleName, path: null, sample: true }
  const view = (name: string, stored: StoredDatabase) => viewOf(name, stored, vault)
  return {
    list: () => {
      const known = Object.entries(storedDatabases(settings))
      return { items: [sample, ...known.map(([name, stored]) => view(name, stored))] }
    },
    register: ({ name, path: file, writable = false }) => {
      refuseSample(name)
      const { [name]: before, ...others } = storedDatabases(settings)
      checkFile(file, own)
      const stored: StoredDatabase = writable ? { kind: 'sqlite', path: file, writable } : file
      storeDatabases(settings, { ...others, [name]: stored })
      if (isConnection(before)) forgetPasswords(vault, name)
      return view(name, stored)
    },
    connect: (name, request) => {
      if (!databaseName.safeParse(name).success)
        throw new AppError('bad_request', `The name must be ${nameForm}.`, { path: 'name' })
      refuseSample(name)
      const known = storedDatabases(settings)
      refuseSharedSecret(name, known)
      const stored = connectionIn(request)
      savePasswords(vault, name, request)
      storeDatabases(settings, { ...known, [name]: stored })
      return view(name, stored)
    },
    async test(name, { connection }, signal) {
      const typed = connection && {
        ...(connection.password !== undefined && { read: connection.password }),
        ...(connection.write?.password !== undefined && { write: connection.write.password }),
      }
      const source = connection ? sourceOf(name, connectionIn(connection), vault, typed) : sources().get(name)
      if (source === undefined) throw unknown(name)
      const isWritable = typeof source === 'object' && source.isWritable
      const [read, write] = await Promise.all([
        tried(source, 'read', signal),
        isWritable ? tried(source, 'write', signal) : null,
      ])
      return { read, write }
    },
    remove: (name) => {
      const { [name]: gone, ...rest } = storedDatabases(settings)
      if (name === sampleName)
        throw new AppError('conflict', `${name} comes with Loopwright and cannot be removed.`)
      if (gone === undefined) throw unknown(name)
      storeDatabases(settings, rest)
      if (isConnection(gone)) forgetPasswords(vault, name)
    },
  }
}

function unknown(name: string): AppError {
  return new AppError('not_found', `No database is registered as ${name}.`)
}

function refuseSample(name: string): void {
  if (name !== sampleName) return
  throw new AppError('name_taken', `${name} is the sample that comes with Loopwright; choose another name.`, {
    path: 'name',
  })
}

function isConnection(database: StoredDatabase | undefined): database is StoredConnection {
  return typeof database === 'object' && database.kind === 'postgresql'
}

async function tried(source: DatabaseSource, mode: SqlMode, signal: AbortSignal): Promise<TriedConnection> {
  const found = await probeDatabase(source, mode, signal)
  return found.ok ? { ok: true, ...found.value } : { ok: false, message: found.error }
}

function viewOf(name: string, stored: StoredDatabase, vault: Vault): DatabaseView {
  if (typeof stored === 'string') return { name, path: stored, sample: false }
  if (stored.kind === 'sqlite')
    return { name, path: stored.path, sample: false, ...(stored.writable && { writable: true }) }
  const password = (mode: SqlMode): PasswordView => {
    const secret = passwordSecret(name, mode)
    const row = vault.get(secret)
    if (row === undefined) return null
    const opened = vault.open(secret, databaseOrigin(stored))
    return { secret, hint: row.hint, ...(!opened.ok && { problem: opened.problem }) }
  }
  const { write, ...rest } = stored
  const connection: ConnectionView = {
    ...rest,
    password: password('read'),
    write: write && { user: write.user, password: password('write') },
  }
  return { name, path: null, sample: false, connection }
}

function connectionIn({ password: _, write, ...rest }: SaveConnection): StoredConnection {
  return { ...rest, write: write && { user: write.user } }
}

/** Two names could give one secret, as `a-b` and `a_b` do. */
function refuseSharedSecret(name: string, known: Readonly<Record<string, StoredDatabase>>): void {
  const secret = passwordSecret(name, 'read')
  const same = Object.entries(known).find(
    ([other, each]) => other !== name && isConnection(each) && passwordSecret(other, 'read') === secret,
  )
  const path = 'name'
  if (same !== undefined)
    throw new AppError('name_taken', `${name} is too much like ${same[0]}; choose another name.`, { path })
  if (!secretName.safeParse(passwordSecret(name, 'write')).success)
    throw new AppError('bad_request', 'The name of a connection has at most 44 characters.', { path })
}

/** A typed password is stored for this address; one that is stored must have been entered for it. */
function savePasswords(vault: Vault, name: string, request: SaveConnection): void {
  const origins = [databaseOrigin(request)]
  const roles = [
    { mode: 'read', path: 'password', value: request.password },
    { mode: 'write', path: 'write/password', value: request.write?.password },
  ] as const
  for (const { mode, path, value } of roles) {
    const secret = passwordSecret(name, mode)
    if (
      value !== undefined ||
      vault.get(secret) === undefined ||
      (mode === 'write' && request.write === null)
    )
      continue
    const opened = vault.open(secret, origins[0] ?? '')
    if (opened.ok) continue
    const message =
      opened.why === 'origin'
        ? 'Enter the password again: it was entered for another address.'
        : opened.problem
    throw new AppError('unprocessable', message, { path })
  }
  for (const { mode, value } of roles)
    if (value !== undefined) vault.save({ name: passwordSecret(name, mode), value, origins })
  if (request.write === null) vault.remove(passwordSecret(name, 'write'))
}

function forgetPasswords(vault: Vault, name: string): void {
  for (const mode of ['read', 'write'] as const) vault.remove(passwordSecret(name, mode))
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
