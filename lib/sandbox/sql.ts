/**
 * The SQL port: runs one read statement on a registered database, in a child process with limits on rows,
 * bytes and memory. The caller limits the time, by its signal or a timeout.
 */
import { access } from 'node:fs/promises'
import type { SqlAnswer, SqlFault, SqlPort, SqlRequest } from '#lib/spec/sandbox'
import { oneRead } from './sql-guard'
import { SqlProcess } from './sql-process'
import { busyMessage, TurnQueue, turnIn } from './turns'

/** The absolute path of a database, or a function that creates it and returns the path. */
export type DatabaseFile = string | (() => Promise<string>)

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
 * @param databases name → file, read anew for each query
 */
export function createSql(databases: () => ReadonlyMap<string, DatabaseFile>): Sql {
  const turns = new TurnQueue(maxChildren)
  const idle = new IdleChildren()
  const busy = new Set<SqlProcess>()

  async function query(request: SqlRequest, signal: AbortSignal): Promise<SqlAnswer> {
    const statement = oneRead(request.sql)
    if (!statement.ok) return fault('not_one_read', statement.error)
    const file = await fileOf(databases().get(request.database), request.database)
    if (!file.ok) return file
    const giveBack = await turnIn(turns, signal, request)
    if (giveBack === 'busy') return fault('busy', busyMessage())
    if (giveBack === 'aborted') return fault('aborted', 'The query was stopped.')
    const child = idle.take(file.path) ?? startProcess(file.path)
    if (child === undefined) {
      giveBack()
      return fault('unavailable', 'The process that reads databases could not be started.')
    }
    busy.add(child)
    try {
      const ask = {
        sql: statement.value,
        parameters: request.parameters ?? [],
        maxRows: Math.min(request.maxRows ?? maxRows, maxRows),
        maxBytes,
      }
      return await child.ask(ask, request.timeoutMs, signal)
    } finally {
      busy.delete(child)
      giveBack()
      if (child.usable) idle.put(file.path, child)
      else child.kill()
    }
  }

  return {
    databases: () => [...databases().keys()].sort(),
    query,
    close() {
      idle.killAll()
      for (const child of busy) child.kill()
    },
  }
}

function startProcess(file: string): SqlProcess | undefined {
  try {
    return new SqlProcess(file)
  } catch {
    return undefined
  }
}

type Found = { readonly ok: true; readonly path: string } | Extract<SqlAnswer, { ok: false }>

async function fileOf(file: DatabaseFile | undefined, name: string): Promise<Found> {
  if (file === undefined) return fault('unknown_database', `There is no database "${name}".`)
  try {
    const path = typeof file === 'string' ? file : await file()
    await access(path)
    return { ok: true, path }
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    const why = isMissing ? 'its file is missing' : 'its file can be neither read nor created'
    return fault('unavailable', `The database "${name}" cannot be opened: ${why}.`)
  }
}

function fault(code: SqlFault, message: string): Extract<SqlAnswer, { ok: false }> {
  return { ok: false, code, message }
}

/** Idle children by file: only a few, and only for a short time. */
class IdleChildren {
  private readonly kept = new Map<SqlProcess, { file: string; timer: NodeJS.Timeout }>()

  take(file: string): SqlProcess | undefined {
    for (const [child, each] of this.kept) {
      if (each.file !== file) continue
      this.drop(child)
      if (child.usable) return child
    }
    return undefined
  }

  put(file: string, child: SqlProcess): void {
    child.rest()
    const timer = setTimeout(() => this.end(child), idleMs)
    timer.unref()
    this.kept.set(child, { file, timer })
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
