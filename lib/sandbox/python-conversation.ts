/**
 * The server's side of the conversation with one child that runs Python. Everything that comes from the child is
 * untrusted: it is checked against the limits, and a child that breaks the rules is killed.
 */
import type { Readable, Writable } from 'node:stream'
import { tryParseJson } from '#lib/spec/json'
import { FrameReader, frameLimits, frameOf, maxFileBytes } from './frames'
import type { TableReader } from './python-tables'
import { fromChild, type PythonAsk, type PythonSaid } from './python-wire'

type Said = { readonly header: PythonSaid; readonly body: Uint8Array }

/** Why a conversation ended without a result. */
export type Silence = 'gone' | 'broken' | 'aborted'

interface CallHandlers {
  output(chunk: Uint8Array, from: 'stdout' | 'stderr'): void
  readonly readTables: TableReader
  /** A file that came back; false if there are too many bytes. */
  file?(path: string, content: Uint8Array): boolean
  removed?(path: string): void
}

export type CallEnd =
  | { readonly ended: true; readonly exit: number; readonly body: Uint8Array }
  | { readonly ended: false; readonly why: Silence | 'disk' }

/** More than this is never kept of a child that says more than it is asked. */
const maxHeardBytes = 2 * maxFileBytes

export interface Pipes {
  readonly stdin: Writable
  /** What the child says. */
  readonly frames: Readable
  /** Ends the child at once, with every process that it may have started. */
  kill(): void
}

export class PythonConversation {
  private readonly heard: Said[] = []
  private heardBytes = 0
  private readonly reader = new FrameReader(frameLimits)
  private listener: (() => void) | undefined
  private isBroken = false
  private isGone = false

  constructor(private readonly pipes: Pipes) {
    const { stdin, frames } = pipes
    // Writing to a child that has ended fails; its exit gives the reason.
    stdin.on('error', () => {})
    frames.on('error', () => {})
    frames.on('data', (chunk: Buffer) => this.hear(chunk))
    frames.once('close', () => this.end())
  }

  get isAlive(): boolean {
    return !this.isGone && !this.isBroken
  }

  /** Sends a frame, and waits until the child has taken most of it. */
  async send(header: Readonly<Record<string, unknown>>, body?: Uint8Array): Promise<void> {
    const { stdin } = this.pipes
    if (!this.isAlive || stdin.destroyed) return
    if (stdin.write(frameOf(header, body))) return
    await new Promise<void>((resolve) => {
      const taken = () => {
        stdin.off('drain', taken)
        stdin.off('close', taken)
        resolve()
      }
      stdin.on('drain', taken)
      stdin.on('close', taken)
    })
  }

  /** The next message, or why there is none. */
  async next(signal: AbortSignal): Promise<Said | Silence> {
    const onAbort = () => this.listener?.()
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      while (this.heard.length === 0 && this.isAlive && !signal.aborted) await this.change()
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
    if (signal.aborted) return 'aborted'
    const said = this.heard.shift()
    this.heardBytes -= said?.body.byteLength ?? 0
    return said ?? (this.isBroken ? 'broken' : 'gone')
  }

  /** Runs one call of a child that is ready. */
  async call(ask: PythonAsk, handlers: CallHandlers, signal: AbortSignal): Promise<CallEnd> {
    await this.send({ type: 'run' }, new TextEncoder().encode(JSON.stringify(ask)))
    for (;;) {
      const said = await this.next(signal)
      if (typeof said === 'string') return { ended: false, why: said }
      const { header, body } = said
      switch (header.type) {
        case 'out':
          handlers.output(body, header.from)
          break
        case 'table':
          await this.answerTable(await handlers.readTables(body, signal))
          break
        case 'file':
          if (handlers.file?.(header.path, body) !== true) return { ended: false, why: 'disk' }
          break
        case 'removed':
          handlers.removed?.(header.path)
          break
        case 'done':
          return { ended: true, exit: header.exit, body }
        case 'ready':
          return { ended: false, why: 'broken' }
        default:
          return header satisfies never
      }
    }
  }

  private async answerTable(answer: Awaited<ReturnType<TableReader>>): Promise<void> {
    if (!answer.ok) return this.send({ type: 'table', ok: false, message: answer.message })
    await this.send({ type: 'table', ok: true }, new TextEncoder().encode(JSON.stringify(answer.tables)))
  }

  private change(): Promise<void> {
    return new Promise<void>((resolve) => {
      const before = this.listener
      this.listener = () => {
        before?.()
        resolve()
      }
    })
  }

  private notify(): void {
    const { listener } = this
    this.listener = undefined
    listener?.()
  }

  private hear(chunk: Uint8Array): void {
    const said = this.reader.add(chunk)?.map(read)
    for (const each of said ?? [undefined]) {
      if (each === undefined || this.heardBytes > maxHeardBytes) {
        this.isBroken = true
        this.pipes.kill()
        break
      }
      this.heard.push(each)
      this.heardBytes += each.body.byteLength
    }
    this.notify()
  }

  private end(): void {
    this.isGone = true
    this.notify()
  }
}

function read({
  header,
  body,
}: {
  header: Readonly<Record<string, unknown>>
  body: Uint8Array
}): Said | undefined {
  const known = fromChild.safeParse(header)
  return known.success ? { header: known.data, body } : undefined
}

/** The result of a call as the guest wrote it; undefined if it is not JSON. */
export function resultIn(body: Uint8Array) {
  return tryParseJson(new TextDecoder().decode(body))
}
