/** Opens the database file: checks it before changing anything, migrates it, and returns the stores. */
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import path from 'node:path'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import type { KnowledgeStore } from '#lib/spec/recall-store'
import type { SkillStore } from '#lib/spec/skill-store'
import type { Stores } from '#lib/spec/store'
import { Database, type SqliteConnection } from '#lib/sqlite/driver'
import { storeFault, UnusableDatabase } from './fault'
import { watchFile } from './file-watch'
import { guardStores } from './guarded'
import { createHealth } from './health'
import { lateSync } from './late-sync'
import { migrate, readMigrations, schemaVersion } from './migrate'
import { agentKeyStore } from './stores/agent-keys'
import { agentStore } from './stores/agents'
import { artifactStore } from './stores/artifacts'
import { discardStore } from './stores/discards'
import { figureStore } from './stores/figures'
import { knowledgeStore } from './stores/knowledge'
import { mcpServerStore } from './stores/mcp-servers'
import { mcpSignInStore } from './stores/mcp-sign-ins'
import { memoryStore } from './stores/memories'
import { originalStore } from './stores/originals'
import { removalStore } from './stores/removals'
import { runStore } from './stores/runs'
import { secretStore } from './stores/secrets'
import { settingsStore } from './stores/settings'
import { skillStore } from './stores/skills'
import { threadStore } from './stores/threads'
import { trialStore } from './stores/trials'

/** Marks a file as ours ("LOOP"), so that the database of another program is never migrated. */
const applicationId = 0x4c4f4f50

/** SQLite before 3.51.3 can lose a commit when the write-ahead log is reset. */
const oldestSqlite = [3, 51, 3] as const

/** How long a statement, and the event loop with it, waits for another process's lock, in milliseconds. */
const busyMs = 250

/**
 * Opens `file`. A missing file is created with its folder, readable only by the current user.
 * Throws `UnusableDatabase` if the file is damaged, from another program or from a newer version;
 * the file is then unchanged.
 */
export function openStores(file: string): Stores {
  return storesOver(openClient(file))
}

/**
 * The settings, sealed secrets, skills and collections of a database, for another program than its server: the
 * file is neither created nor migrated, and a server may use it at the same time. Closing it is up to the caller.
 */
export function openSettings(file: string): Pick<Stores, 'settings' | 'secrets' | 'close'> & {
  readonly skills: SkillStore | undefined
  readonly knowledge: KnowledgeStore | undefined
} {
  try {
    const client = new Database(file, { readonly: true, fileMustExist: true, timeout: busyMs })
    try {
      const db = drizzle(client)
      // A database that no server has opened since an update lacks what the update adds.
      const named = client.prepare<[string]>('SELECT 1 FROM sqlite_master WHERE name = ?')
      const has = (name: string) => named.get(name) !== undefined
      return {
        settings: settingsStore(db),
        secrets: secretStore(db),
        skills: has('skills') ? skillStore(db) : undefined,
        knowledge: has('passage_vectors_by_model') ? knowledgeStore(client) : undefined,
        close: () => client.close(),
      }
    } catch (error) {
      client.close()
      throw error
    }
  } catch (error) {
    throw inWords(error, file)
  }
}

/** The stores over a connection from `openClient`; closing them closes the connection. */
export function storesOver(client: SqliteConnection): Stores {
  const db = drizzle(client)
  const watch = watchFile(client.name)
  const health = createHealth(client, watch)
  const late = lateSync(client)
  const stores = {
    agents: agentStore(db),
    runs: runStore(client, db, late),
    removals: removalStore(db),
    figures: figureStore(client),
    threads: threadStore(db),
    artifacts: artifactStore(db),
    discards: discardStore(db),
    settings: settingsStore(db),
    secrets: secretStore(db),
    originals: originalStore(db),
    mcpServers: mcpServerStore(db),
    mcpSignIns: mcpSignInStore(db),
    keys: agentKeyStore(client, db),
    trials: trialStore(db),
    memories: memoryStore(client),
    knowledge: knowledgeStore(client),
    skills: skillStore(db),
  }
  return {
    ...guardStores(stores, health),
    health,
    close: () => {
      late.close()
      client.close()
      watch.close()
    },
  }
}

/** The connection behind the stores, checked and migrated. */
export function openClient(file: string): SqliteConnection {
  const migrations = readMigrations()
  try {
    prepareFile(file)
    inspect(file, migrations.length)
    const client = new Database(file, { timeout: busyMs })
    try {
      configure(client, file)
      migrate(client, migrations)
      client.pragma('foreign_keys = ON')
      return client
    } catch (error) {
      client.close()
      throw error
    }
  } catch (error) {
    throw inWords(error, file)
  }
}

function prepareFile(file: string): void {
  checkUntouched(file)
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
  else chmodSync(file, 0o600)
}

/** Throws if opening the file would lose data: SQLite deletes the write-ahead log of an empty database. */
function checkUntouched(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false })
  if (found !== undefined && !found.isFile())
    throw new UnusableDatabase(
      `${file} is not a file, but Loopwright keeps its database under that name. Move it away and start again; nothing was changed.`,
    )
  const log = `${file}-wal`
  const logBytes = statSync(log, { throwIfNoEntry: false })?.size ?? 0
  if ((found?.size ?? 0) > 0 || logBytes === 0) return
  const state = found === undefined ? 'is missing' : 'is empty'
  throw new UnusableDatabase(
    `${file} ${state}, but the log next to it, ${log}, still holds data. Nothing was changed. Restore the database (or a backup of it, after moving the log away), or move the log away to start empty.`,
  )
}

/**
 * Checks the file on a read-only connection: closing a writable one would copy the log into a damaged file.
 */
function inspect(file: string, newest: number): void {
  if (statSync(file).size === 0) return
  const client = new Database(file, { readonly: true, timeout: busyMs })
  try {
    const verdict = client.pragma('quick_check(1)', { simple: true })
    if (verdict !== 'ok') throw damagedError(file, String(verdict).split('\n').at(-1) ?? '')
    const version = schemaVersion(client)
    const id = client.pragma('application_id', { simple: true })
    const tables = client.prepare('select count(*) from sqlite_schema').pluck().get()
    if (id !== applicationId && tables !== 0) {
      throw new UnusableDatabase(
        `${file} is a database of another program. Set LOOPWRIGHT_DATA to another data folder.`,
      )
    }
    if (version > newest) {
      throw new UnusableDatabase(
        `${file} was written by a newer version of Loopwright (its schema is ${version}, this version supports up to ${newest}). Start that version, or restore a backup made by this one.`,
      )
    }
  } finally {
    client.close()
  }
}

function configure(client: SqliteConnection, file: string): void {
  assertSqlite(String(client.prepare('select sqlite_version()').pluck().get()))
  const mode = client.pragma('journal_mode = WAL', { simple: true })
  if (mode !== 'wal') {
    throw new UnusableDatabase(
      `${path.dirname(file)} does not support a write-ahead log; it may be on a network drive. Set LOOPWRIGHT_DATA to a local folder.`,
    )
  }
  client.pragma('synchronous = FULL')
  client.pragma('trusted_schema = OFF')
  client.pragma('wal_autocheckpoint = 1000')
  client.pragma(`journal_size_limit = ${64 * 1024 * 1024}`)
  // A migration may rebuild a table that others refer to, so foreign keys are checked
  // only after the migrations.
  client.pragma('foreign_keys = OFF')
  if (client.pragma('application_id', { simple: true }) !== applicationId)
    client.pragma(`application_id = ${applicationId}`)
}

/** Throws if `version` ("3.53.2") is older than the first one that keeps every commit. */
export function assertSqlite(version: string): void {
  const parts = version.split('.').map(Number)
  for (const [index, least] of oldestSqlite.entries()) {
    const part = parts[index] ?? 0
    if (part > least) return
    if (part < least) {
      throw new UnusableDatabase(
        `SQLite ${version} is too old: ${oldestSqlite.join('.')} or newer is required. Run \`npm ci\`.`,
      )
    }
  }
}

function damagedError(file: string, detail: string): UnusableDatabase {
  return new UnusableDatabase(
    `${file} is damaged (${detail}). Nothing was changed. Replace it with a backup, or move it away to start empty; move ${path.basename(file)}-wal away with it.`,
  )
}

function inWords(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || error instanceof UnusableDatabase) return error
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')) return damagedError(file, error.message)
  if (storeFault(error) === 'busy')
    return new UnusableDatabase(
      `${file} is in use by another program. Stop that program and try again.`,
      error,
    )
  if (storeFault(error) !== undefined || code.startsWith('E')) {
    return new UnusableDatabase(
      `${file} cannot be written (${error.message}). Check the permissions and the free space of its folder.`,
      error,
    )
  }
  return error
}
