/**
 * The SQL port: runs one statement on a registered database, in a child process with limits on rows, bytes and
 * memory. The caller limits the time, by its signal or a timeout.
 */
import { createHash } from 'node:crypto'
import { access } from 'node:fs/promises'
import type { Result } from '#lib/spec/errors'
import type {
  SqlAnswer,
  SqlChecked,
  SqlDialect,
  SqlFailure,
  SqlFault,
  SqlPort,
  SqlTarget,
  SqlWritten,
} from '#lib/spec/sql'
import { childOrNone } from './children'
import { oneRead, oneWrite } from './sql-guard'
import { type SqlPlace, SqlProcess, type SqlReply } from './sql-process'
import { tablesOfFile } from './sql-tables'
import type { PostgresConnection, SqlAsk, SqlFacts, SqlMode } from './sql-wire'
import { busyMessage, TurnQueue, turnIn } from './turns'

/** The absolute path of a database, or a function that creates it and returns the path. */
export type DatabaseFile = string | (() => Promise<string>)

/** A registered database. A file alone can only be read. */
export type DatabaseSource =
  | DatabaseFile
  | { readonly kind: 'sqlite'; readonly file: DatabaseFile; readonly isWritable: boolean }
  | {
      readonly kind: 'postgresql'
      /** The connection with its password, or why there is none, in one sentence without names. */
      connect(mode: SqlMode): Result<PostgresConnection, string>
      readonly isWritable: boolean
    }

export interface Sql extends SqlPort {
  /** Kills every child. The port can still be used afterwards. */
  close(): void
}

const maxRows = 1_000
const maxBytes = 1024 * 1024
const maxChildren = 4
/** A child is kept this long for the next statement, because starting one takes longer than most queries. */
const idleMs = 30_000
const maxIdle = 4

/**
 * Creates the port.
 * @param databases name → source, read anew for each query
 */
export function createSql(databases: () => ReadonlyMap<string, DatabaseSource>): Sql {
  const turns = new TurnQueue(maxChildren)
  const idle = new IdleChildren()
  const busy = new Set<SqlProcess>()

  const dialectOf = (name: string): SqlDialect => {
    const source = databases().get(name)
    return typeof source === 'object' ? source.kind : 'sqlite'
  }

  /** A file is read by SQLite, whatever the name of a registered database. */
  const dialectIn = ({ database, file }: SqlTarget) => (file === undefined ? dialectOf(database) : 'sqlite')

  async function run(target: SqlTarget, ask: SqlAsk, mode: SqlMode, signal: AbortSignal): Promise<SqlReply> {
    const found = await placeOf(target, databases().get(target.database), mode)
    if (!found.ok) return found
    const giveBack = await turnIn(turns, signal, target)
    if (giveBack === 'busy') return fault('busy', busyMessage())
    if (giveBack === 'aborted') return fault('aborted', 'The query was stopped.')
    const key = keyOf(found.place)
    const child = idle.take(key) ?? startProcess(found.place)
    if (child === undefined) {
      giveBack()
      return fault('unavailable', 'The process that reads databases could not be started.')
    }
    busy.add(child)
    try {
      return await child.ask(ask, target.timeoutMs, signal)
    } finally {
      busy.delete(child)
      giveBack()
      if (child.usable) idle.put(key, child)
      else if (!child.isStopping) child.kill()
    }
  }

  return {
    databases: () => [...databases().keys()].sort(),
    dialectOf,
    async query(request, signal): Promise<SqlAnswer> {
      const statement = oneRead(request.sql, dialectIn(request))
      if (!statement.ok) return fault('not_one_read', statement.error)
      const ask: SqlAsk = {
        type: 'read',
        sql: statement.value,
        parameters: request.parameters ?? [],
        maxRows: Math.min(request.maxRows ?? maxRows, maxRows),
        maxBytes,
        wantsCsv: request.wantsCsv ?? false,
      }
      const reply = await run(request, ask, 'read', signal)
      return reply.ok && reply.type === 'rows' ? { ok: true, value: reply.value } : failureOf(reply)
    },
    async check(request, signal): Promise<SqlChecked> {
      const statement = oneRead(request.sql, dialectIn(request))
      if (!statement.ok) return fault('not_one_read', statement.error)
      const reply = await run(request, { type: 'check', sql: statement.value }, 'read', signal)
      return reply.ok && reply.type === 'checked' ? { ok: true, columns: reply.columns } : failureOf(reply)
    },
    async write(request, signal): Promise<SqlWritten> {
      const statement = oneWrite(request.sql, dialectOf(request.database))
      if (!statement.ok) return fault('not_one_write', statement.error)
      const { maxChanged } = request
      const ask: SqlAsk = { type: 'write', sql: statement.value, maxChanged, maxRows, maxBytes }
      const reply = await run(request, ask, 'write', signal)
      if (!reply.ok || reply.type !== 'written') return failureOf(reply)
      return { ok: true, changed: reply.changed, value: reply.value }
    },
    close() {
      idle.killAll()
      for (const child of busy) child.kill()
    },
  }
}

/** Opens a database once and says what is there; a failure says more than a model may read. */
export async function probeDatabase(
  source: DatabaseSource,
  mode: SqlMode,
  signal: AbortSignal,
): Promise<Result<SqlFacts, string>> {
  const target = { database: '', sql: '' }
  const found = await placeOf(target, source, mode)
  if (!found.ok) return { ok: false, error: found.message }
  const child = startProcess(found.place)
  if (child === undefined)
    return { ok: false, error: 'The process that reads databases could not be started.' }
  try {
    const reply = await child.ask({ type: 'facts' }, probeMs, signal)
    if (reply.ok && reply.type === 'facts') return { ok: true, value: reply.facts }
    const failure = failureOf(reply)
    return { ok: false, error: 'detail' in reply && reply.detail ? reply.detail : failure.message }
  } finally {
    child.kill()
  }
}

const probeMs = 15_000

/** What of a failure a model may read. */
function failureOf(reply: SqlReply): SqlFailure {
  if (reply.ok) return fault('unavailable', 'The process that reads databases gave another answer.')
  const { detail: _, ...failure } = reply
  return failure
}

function startProcess(place: SqlPlace): SqlProcess | undefined {
  return childOrNone(() => new SqlProcess(place))
}

/** Equal for places that one child can serve. It holds no password. */
function keyOf(place: SqlPlace): string {
  if (place.kind === 'memory') return `memory:${place.tables.key}`
  if (place.kind === 'sqlite') return `sqlite:${place.mode}:${place.file}`
  const digest = createHash('sha256').update(JSON.stringify(place.connection)).digest('hex')
  return `postgresql:${place.mode}:${digest}`
}

type Found = { readonly ok: true; readonly place: SqlPlace } | SqlFailure

async function placeOf(
  { database, file }: SqlTarget,
  source: DatabaseSource | undefined,
  mode: SqlMode,
): Promise<Found> {
  if (file !== undefined) return { ok: true, place: { kind: 'memory', tables: tablesOfFile(file) } }
  if (source === undefined) return fault('unknown_database', `There is no database "${database}".`)
  if (mode === 'write' && (typeof source !== 'object' || !source.isWritable))
    return fault(
      'not_writable',
      `The database "${database}" may only be read. A person can allow changes under Settings, Databases.`,
    )
  if (typeof source !== 'object') return fileOf(source, database, mode)
  if (source.kind === 'sqlite') return fileOf(source.file, database, mode)
  const connection = source.connect(mode)
  if (!connection.ok)
    return fault('unavailable', `The database "${database}" cannot be opened: ${connection.error}`)
  return { ok: true, place: { kind: 'postgresql', connection: connection.value, mode } }
}

async function fileOf(file: DatabaseFile, name: string, mode: SqlMode): Promise<Found> {
  try {
    const path = typeof file === 'string' ? file : await file()
    await access(path)
    return { ok: true, place: { kind: 'sqlite', file: path, mode } }
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    const why = isMissing ? 'its file is missing' : 'its file can be neither read nor created'
    return fault('unavailable', `The database "${name}" cannot be opened: ${why}.`)
  }
}

function fault(code: SqlFault, message: string): SqlFailure {
  return { ok: false, code, message }
}

/** Idle children by what they are opened on: only a few, and only for a short time. */
class IdleChildren {
  private readonly kept = new Map<SqlProcess, { key: string; timer: NodeJS.Timeout }>()

  take(key: string): SqlProcess | undefined {
    for (const [child, each] of this.kept) {
      if (each.key !== key) continue
      this.drop(child)
      if (child.usable) return child
    }
    return undefined
  }

  put(key: string, child: SqlProcess): void {
    child.rest()
    const timer = setTimeout(() => this.end(child), idleMs)
    timer.unref()
    this.kept.set(child, { key, timer })
    const [oldest] = this.kept.keys()
    if (this.kept.size > maxIdle && oldest !== undefined) this.end(oldest)
  }

  killAll(): void {
    for (const child of [...this.kept.keys()]) this.end(child)
  }

  private end(child: SqlProcess): void {
    this.drop(child)
    child.kill()
  }

  private drop(child: SqlProcess): void {
    clearTimeout(this.kept.get(child)?.timer)
    this.kept.delete(child)
  }
}
