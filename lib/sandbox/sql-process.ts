/**
 * One child process on one database. It gets one statement at a time and is stopped on a timeout or when the caller
 * aborts.
 */
import type { SqlFailure } from '#lib/spec/sql'
import { type Child, holdChild, startChild } from './children'
import { Lines } from './lines'
import type { SqlTables } from './sql-tables'
import type { PostgresConnection, SqlAsk, SqlDone, SqlFill, SqlMode, SqlSaid } from './sql-wire'

const bounds = { memoryMiB: 400, heapMiB: 96, cpuSeconds: 300, fileMiB: 16 }
/** A file that is written may grow; the others of a child need no room on the disk. */
const writtenFileMiB = 1024 * 1024
/**
 * A child that has used this much processor time gets no further statement, so that none runs
 * into the kernel's limit.
 */
const retireAfterCpuMs = 15_000
const startMs = 10_000
/** Time to connect, over a network, and to stop a statement there. */
const connectMs = 15_000
const cancelMs = 5_000
const maxLineBytes = 16 * 1024 * 1024

/** What a child is opened on. */
export type SqlPlace =
  | { readonly kind: 'sqlite'; readonly file: string; readonly mode: SqlMode }
  | { readonly kind: 'memory'; readonly tables: SqlTables }
  | { readonly kind: 'postgresql'; readonly connection: PostgresConnection; readonly mode: SqlMode }

/** `detail` is for a person in the settings, and may name the host or the role. */
export type SqlReply = ({ readonly ok: true } & SqlDone) | (SqlFailure & { readonly detail?: string })

type Said =
  | SqlSaid
  | { readonly type: 'gone' }
  | { readonly type: 'late' }
  | { readonly type: 'aborted' }
  | { readonly type: 'unfilled'; readonly message: string }

/** Owns its process: the creator must kill it. The constructor throws a `NoChildError` if the system starts no process. */
export class SqlProcess {
  private readonly child: Child
  private readonly lines = new Lines(maxLineBytes)
  private readonly heard: SqlSaid[] = []
  private listener: ((said: Said) => void) | undefined
  private opened = false
  private worn = false
  private gone = false
  private stopping = false

  constructor(private readonly place: SqlPlace) {
    this.child = start(place)
    this.child.on('error', () => this.end())
    this.child.on('close', () => this.end())
    this.child.stdin.on('error', () => this.end())
    this.child.stdout.on('data', (chunk: Buffer) => this.hear(chunk))
  }

  /** Whether it can take another statement. */
  get usable(): boolean {
    return !this.gone && !this.worn && this.opened
  }

  /** Whether it is stopping a statement on a server, and then ends by itself. */
  get isStopping(): boolean {
    return this.stopping
  }

  kill(): void {
    this.worn = true
    this.child.kill('SIGKILL')
  }

  /** An idle child must not keep the server process alive. */
  rest(): void {
    this.hold('unref')
  }

  /** Runs one statement; must not be called again before the answer is there. Never throws. */
  async ask(ask: SqlAsk, timeoutMs: number | undefined, signal: AbortSignal): Promise<SqlReply> {
    this.hold('ref')
    if (!this.opened) {
      const limitMs = this.place.kind === 'postgresql' ? connectMs : startMs
      const said = await this.open(limitMs, signal)
      if (said.type !== 'opened') return this.failed(said, limitMs)
      this.opened = true
    }
    this.send(ask)
    const said = await this.next(timeoutMs, signal)
    if (!isDone(said)) return this.failed(said, timeoutMs)
    const { cpuMs, ...done } = said
    this.worn ||= cpuMs > retireAfterCpuMs
    return { ok: true, ...done }
  }

  private async open(limitMs: number, signal: AbortSignal): Promise<Said> {
    if (this.place.kind === 'postgresql') {
      const { connection, mode } = this.place
      this.send({ ...connection, mode })
    }
    if (this.place.kind === 'memory') {
      const message = await this.fill(this.place.tables, signal)
      if (message !== undefined) return signal.aborted ? { type: 'aborted' } : { type: 'unfilled', message }
    }
    return this.next(limitMs, signal)
  }

  /** Sends tables no faster than the child takes them; a message when they cannot be read. */
  private async fill(tables: SqlTables, signal: AbortSignal): Promise<string | undefined> {
    const send = (line: SqlFill) => this.sendSlowly(line)
    const message = await tables.fill(
      {
        table: (name, columns) => send({ type: 'table', name, columns }),
        rows: (rows) => send({ type: 'fill', rows }),
      },
      signal,
    )
    if (message === undefined) await send({ type: 'filled' })
    return message
  }

  private send(line: object): boolean {
    return this.gone || this.child.stdin.write(`${JSON.stringify(line)}\n`)
  }

  private sendSlowly(line: object): Promise<void> | undefined {
    const { stdin } = this.child
    if (this.send(line)) return undefined
    return new Promise((resolve) => {
      const go = () => {
        stdin.off('drain', go)
        stdin.off('close', go)
        resolve()
      }
      stdin.on('drain', go)
      stdin.on('close', go)
    })
  }

  private failed(said: Said, limitMs: number | undefined): SqlReply {
    if (said.type === 'failed') {
      const { cpuMs, type: _, ...failure } = said
      this.worn ||= cpuMs > retireAfterCpuMs
      return { ok: false, ...failure }
    }
    if (said.type === 'aborted' || said.type === 'late') this.stop()
    else this.kill()
    if ((said.type === 'aborted' || said.type === 'late') && this.opened && this.isWriting) return lostChange
    if (said.type === 'aborted') return { ok: false, code: 'aborted', message: 'The query was stopped.' }
    if (said.type === 'late') {
      if (!this.opened) return { ok: false, code: 'unavailable', message: this.silence(limitMs ?? 0) }
      return {
        ok: false,
        code: 'timeout',
        message: `The query took longer than ${(limitMs ?? 0) / 1_000} seconds and was stopped.`,
      }
    }
    if (said.type === 'unfilled') return { ok: false, code: 'unavailable', message: said.message }
    if (said.type === 'unavailable') {
      const { message, detail } = said
      const what = `The database cannot be opened: ${message.replace(/\.$/, '')}.`
      return { ok: false, code: 'unavailable', message: what, ...(detail !== undefined && { detail }) }
    }
    if (this.opened && this.isWriting) return lostChange
    if (this.opened)
      return {
        ok: false,
        code: 'sql_error',
        message: 'The query needed more memory than it may have, and was stopped.',
      }
    return {
      ok: false,
      code: 'unavailable',
      message: 'The process that reads databases could not be started.',
    }
  }

  private get isWriting(): boolean {
    return this.place.kind !== 'memory' && this.place.mode === 'write'
  }

  private silence(limitMs: number): string {
    return this.place.kind === 'postgresql'
      ? `The server of the database did not answer within ${limitMs / 1_000} seconds.`
      : 'The process that reads databases could not be started.'
  }

  /** A server goes on with a statement whose client is gone, so the child first stops it there. */
  private stop(): void {
    if (this.place.kind !== 'postgresql' || !this.opened) {
      this.kill()
      return
    }
    this.worn = true
    this.stopping = true
    this.hold('unref')
    this.send({ type: 'cancel' } satisfies SqlAsk)
    const timer = setTimeout(() => this.kill(), cancelMs)
    timer.unref()
    this.child.once('close', () => clearTimeout(timer))
  }

  /** The next message, or whatever comes first: the end of the child, the time limit or the abort. */
  private next(limitMs: number | undefined, signal: AbortSignal): Promise<Said> {
    const waiting = this.heard.shift()
    if (waiting !== undefined) return Promise.resolve(waiting)
    if (this.gone) return Promise.resolve({ type: 'gone' })
    if (signal.aborted) return Promise.resolve({ type: 'aborted' })
    return new Promise((resolve) => {
      const settle = (said: Said) => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
        this.listener = undefined
        resolve(said)
      }
      const onAbort = () => settle({ type: 'aborted' })
      const timer = limitMs === undefined ? undefined : setTimeout(() => settle({ type: 'late' }), limitMs)
      signal.addEventListener('abort', onAbort, { once: true })
      this.listener = settle
    })
  }

  private hear(chunk: Buffer): void {
    const lines = this.lines.add(chunk)
    if (lines === undefined) this.kill()
    for (const line of lines ?? []) this.tell(JSON.parse(line))
  }

  private tell(said: SqlSaid): void {
    if (this.listener === undefined) this.heard.push(said)
    else this.listener(said)
  }

  private end(): void {
    this.gone = true
    this.listener?.({ type: 'gone' })
  }

  private hold(how: 'ref' | 'unref'): void {
    holdChild(this.child, how)
  }
}

const lostChange: SqlFailure = {
  ok: false,
  code: 'outcome_unknown',
  message:
    'The statement was stopped while it ran, and it is not known whether its change was stored. Read the rows before you repeat it.',
}

function start(place: SqlPlace): Child {
  switch (place.kind) {
    case 'sqlite': {
      const fileMiB = place.mode === 'write' ? writtenFileMiB : bounds.fileMiB
      return startChild('sql-child', [place.file, place.mode], { ...bounds, fileMiB })
    }
    case 'memory':
      return startChild('sql-child', ['', 'memory'], bounds)
    case 'postgresql':
      return startChild('postgres-child', [], bounds)
    default:
      return place satisfies never
  }
}

function isDone(said: Said): said is SqlDone & { cpuMs: number } {
  return said.type === 'rows' || said.type === 'checked' || said.type === 'written' || said.type === 'facts'
}
