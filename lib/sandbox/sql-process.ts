/**
 * One child process on one database file. It gets one statement at a time and is killed on a timeout
 * or when the caller aborts.
 */
import type { SqlAnswer } from '#lib/spec/sandbox'
import { type Child, startChild } from './children'
import type { SqlAsk, SqlSaid } from './sql-wire'

const bounds = { memoryMiB: 400, heapMiB: 96, cpuSeconds: 300, fileMiB: 16 }
/**
 * A child that has used this much processor time gets no further statement, so that none runs
 * into the kernel's limit.
 */
const retireAfterCpuMs = 15_000
const startMs = 10_000
const maxLineBytes = 8 * 1024 * 1024

type Said = SqlSaid | { readonly type: 'gone' } | { readonly type: 'late' } | { readonly type: 'aborted' }

/** Owns its process: the creator must kill it. The constructor throws if the system has no pipes left. */
export class SqlProcess {
  private readonly child: Child
  private readonly pending: Buffer[] = []
  private pendingBytes = 0
  private readonly heard: SqlSaid[] = []
  private listener: ((said: Said) => void) | undefined
  private opened = false
  private worn = false
  private gone = false

  constructor(file: string) {
    this.child = startChild('sql-child', [file], bounds)
    this.child.on('error', () => this.end())
    this.child.on('close', () => this.end())
    this.child.stdin.on('error', () => this.end())
    this.child.stdout.on('data', (chunk: Buffer) => this.hear(chunk))
  }

  /** Whether it can take another statement. */
  get usable(): boolean {
    return !this.gone && !this.worn && this.opened
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
  async ask(ask: SqlAsk, timeoutMs: number | undefined, signal: AbortSignal): Promise<SqlAnswer> {
    this.hold('ref')
    if (!this.opened) {
      const said = await this.next(startMs, signal)
      if (said.type !== 'opened') return this.failed(said, startMs)
      this.opened = true
    }
    if (!this.gone) this.child.stdin.write(`${JSON.stringify(ask)}\n`)
    const said = await this.next(timeoutMs, signal)
    if (said.type !== 'rows') return this.failed(said, timeoutMs)
    this.worn ||= said.cpuMs > retireAfterCpuMs
    return { ok: true, value: said.value }
  }

  private failed(said: Said, limitMs: number | undefined): SqlAnswer {
    if (said.type === 'failed') {
      this.worn ||= said.cpuMs > retireAfterCpuMs
      return { ok: false, code: said.code, message: said.message }
    }
    this.kill()
    if (said.type === 'aborted') return { ok: false, code: 'aborted', message: 'The query was stopped.' }
    if (said.type === 'late') {
      return {
        ok: false,
        code: 'timeout',
        message: `The query took longer than ${(limitMs ?? 0) / 1_000} seconds and was stopped.`,
      }
    }
    if (said.type === 'unavailable')
      return { ok: false, code: 'unavailable', message: `The database cannot be opened: ${said.message}.` }
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
    let from = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      this.pending.push(chunk.subarray(from, end))
      const line = Buffer.concat(this.pending.splice(0)).toString('utf8')
      this.pendingBytes = 0
      from = end + 1
      this.tell(JSON.parse(line))
    }
    this.pending.push(chunk.subarray(from))
    this.pendingBytes += chunk.length - from
    if (this.pendingBytes > maxLineBytes) this.kill()
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
    this.child[how]()
    for (const stream of [this.child.stdin, this.child.stdout]) {
      if (how in stream) (stream as unknown as { ref(): void; unref(): void })[how]() // cast: pipes of a child are sockets
    }
  }
}
