/**
 * One execution inside the child process: the source in QuickJS, its callbacks,
 * timers and files, and its end.
 */
import type { QuickJSContext, QuickJSHandle, QuickJSRuntime } from 'quickjs-emscripten-core'
import { guest, sourceName } from './javascript-guest'
import { Log } from './javascript-log'
import { say } from './javascript-say'
import {
  type FileSaid,
  type FromChild,
  type JavascriptFault,
  maxCpuMs,
  maxResultBytes,
  maxWriteBytes,
  type RunAsk,
} from './javascript-wire'

/** The number of promise callbacks that run before files and timers get a turn. */
const jobsAtOnce = 1_000
const longestWaitMs = 2_147_483_647

type Parts = 'begin' | 'answer' | 'fire' | 'report'

/** A message from the guest; its texts are JSON. */
interface GuestMessage {
  readonly kind: string
  readonly id: number
  readonly first: string
  readonly second: string
}

/** One execution: it starts once and ends with `done` or `failed`; then the process exits. */
export class Execution {
  private readonly log = new Log()
  private readonly timers = new Map<number, NodeJS.Timeout>()
  private readonly asked = new Set<number>()
  private deadline = Number.POSITIVE_INFINITY
  private limit: 'wall' | 'cpu' | undefined
  private timeoutMs = 0
  private cpuFrom = 0
  private readonly parts: Record<Parts, QuickJSHandle>

  constructor(
    private readonly runtime: QuickJSRuntime,
    private readonly context: QuickJSContext,
    private readonly isFull: () => boolean,
  ) {
    const sayHandle = context.newFunction('say', (...handles) => this.hear(handles))
    const made = context.unwrapResult(context.evalCode(guest, 'guest.js'))
    const parts = context.unwrapResult(context.callFunction(made, context.undefined, sayHandle))
    const part = (name: Parts) => context.getProp(parts, name)
    this.parts = { begin: part('begin'), answer: part('answer'), fire: part('fire'), report: part('report') }
    runtime.setInterruptHandler(() => this.isOver())
  }

  begin({ source, args, run = {}, timeoutMs }: RunAsk): void {
    this.timeoutMs = timeoutMs
    this.deadline = performance.now() + timeoutMs
    this.cpuFrom = cpuMs()
    this.work(() => {
      // The source starts on the first line, so that line numbers in errors match the author's source.
      const main = this.context.evalCode(`(async function (args) {${source}\n})`, sourceName)
      if (main.error !== undefined) return void this.call('report', main.error)
      const { context } = this
      this.call(
        'begin',
        main.value,
        context.newString(JSON.stringify(args)),
        context.newString(JSON.stringify(run)),
      )
    })
  }

  answer({ id, ok, text }: FileSaid): void {
    if (!this.asked.delete(id)) return
    const { context } = this
    this.work(() =>
      this.call(
        'answer',
        context.newNumber(id),
        ok ? context.true : context.false,
        context.newString(JSON.stringify(text)),
      ),
    )
  }

  /**
   * Runs a piece of guest work and all callbacks that follow from it. An error that QuickJS cannot
   * handle ends the execution.
   */
  private work(piece: () => void): void {
    try {
      piece()
      this.pump()
    } catch (error) {
      this.broken(error)
    }
  }

  private pump(): void {
    const jobs = this.runtime.executePendingJobs(jobsAtOnce)
    if (this.isOver()) this.late()
    if (jobs.error !== undefined) return void this.call('report', jobs.error)
    if (this.runtime.hasPendingJob()) {
      setImmediate(() => this.work(() => {}))
      return
    }
    if (this.asked.size === 0 && this.timers.size === 0) this.stuck()
  }

  private call(name: Parts, ...args: QuickJSHandle[]): void {
    const result = this.context.callFunction(this.parts[name], this.context.undefined, ...args)
    if (result.error === undefined) return
    if (this.isOver()) this.late()
    if (name === 'report') this.fail('javascript_error', 'The code failed.')
    this.call('report', result.error)
  }

  /**
   * Never throws, because the guest could see the exception. Only the guest's `say` calls this, but its
   * arguments are still checked.
   */
  private hear(handles: readonly QuickJSHandle[]): void {
    try {
      const [kind = '', first = '', second = ''] = [0, 2, 3].map((n) => this.textOf(handles[n]))
      const idHandle = handles[1]
      const id =
        idHandle !== undefined && this.context.typeof(idHandle) === 'number'
          ? this.context.getNumber(idHandle)
          : 0
      this.said({ kind, id, first, second })
    } catch (error) {
      this.broken(error)
    }
  }

  private textOf(handle: QuickJSHandle | undefined): string {
    return handle !== undefined && this.context.typeof(handle) === 'string'
      ? this.context.getString(handle)
      : ''
  }

  private said({ kind, id, first, second }: GuestMessage): void {
    if (kind === 'log') this.log.add(textIn(first))
    else if (kind === 'note') say({ type: 'note', text: textIn(first) })
    else if (kind === 'read' || kind === 'write') this.ask(kind, id, { path: first, text: second })
    else if (kind === 'timer') this.wait(id, Number(textIn(first)))
    else if (kind === 'clear') this.clear(id)
    else if (kind === 'done') this.done(id === 1 ? first : undefined)
    else if (kind === 'failed') this.failed(textIn(first), textIn(second))
  }

  private wait(id: number, ms: number): void {
    const timer = setTimeout(() => this.fire(id), Math.min(ms || 0, longestWaitMs))
    this.timers.set(id, timer)
  }

  private clear(id: number): void {
    clearTimeout(this.timers.get(id))
    this.timers.delete(id)
  }

  private ask(type: 'read' | 'write', id: number, given: { path: string; text: string }): void {
    this.asked.add(id)
    if (given.text.length > maxWriteBytes) {
      const text = 'files.write: the content is too large'
      setImmediate(() => this.answer({ type: 'file', id, ok: false, text }))
      return
    }
    const path = textIn(given.path)
    say(type === 'read' ? { type, id, path } : { type, id, path, text: textIn(given.text) })
  }

  private fire(id: number): void {
    this.timers.delete(id)
    this.work(() => this.call('fire', this.context.newNumber(id)))
  }

  private done(json: string | undefined): never {
    const bytes = Buffer.byteLength(json ?? '')
    if (bytes <= maxResultBytes) this.end(json === undefined ? { type: 'done' } : { type: 'done', json })
    const size = (bytes / 1024 / 1024).toFixed(1)
    const message = `The result is ${size} MiB of JSON, and the limit is 1 MiB. Return less, or write it to a file.`
    this.fail('too_large', message)
  }

  private failed(told: string, stack: string): never {
    if (this.isOver()) this.late()
    const message = told.replace(/: $/, '')
    // QuickJS throws null when there is no memory left for an error.
    const isBare = message === 'null' || message === ''
    if (message.startsWith('InternalError: out of memory') || (isBare && this.isFull())) this.outOfMemory()
    const at = new RegExp(`${sourceName}:(\\d+)`).exec(stack)?.[1]
    const line = at === undefined ? '' : ` (line ${at})`
    this.fail('javascript_error', `${message || 'The code failed.'}${line}`)
  }

  /** No work is due and no result was sent: the guest awaits a promise that nothing settles. */
  private stuck(): never {
    if (this.isFull()) this.outOfMemory()
    this.fail('javascript_error', 'The function never ended: it awaits a promise that nothing settles.')
  }

  private outOfMemory(): never {
    this.fail('memory', 'The code needed more memory than the 128 MiB it may have, and was stopped.')
  }

  /** After an error of WebAssembly itself, nothing of the guest can be used any more. */
  private broken(error: unknown): never {
    if (this.isOver()) this.late()
    if (this.isFull()) this.outOfMemory()
    const isDeep = error instanceof RangeError
    this.fail(
      'javascript_error',
      isDeep ? 'InternalError: stack overflow' : 'The code crashed the engine that ran it.',
    )
  }

  /** QuickJS also calls this, every few thousand steps of the code. */
  private isOver(): boolean {
    if (performance.now() >= this.deadline) this.limit ??= 'wall'
    else if (cpuMs() - this.cpuFrom >= maxCpuMs) this.limit ??= 'cpu'
    return this.limit !== undefined
  }

  private late(): never {
    const longer =
      this.limit === 'cpu'
        ? `used more than ${maxCpuMs / 1_000} seconds of processor time`
        : `ran longer than ${this.timeoutMs / 1_000} seconds`
    this.fail('timeout', `The code ${longer} and was stopped.`)
  }

  private fail(code: JavascriptFault, message: string): never {
    this.end({ type: 'failed', code, message })
  }

  /** Does not wait for timers or for writes that nobody awaited; such writes have already been requested. */
  private end(said: Extract<FromChild, { type: 'done' | 'failed' }>): never {
    this.log.end()
    const cpuSeconds = (cpuMs() - this.cpuFrom) / 1_000
    const use = { cpuSeconds, peakBytes: process.resourceUsage().maxRSS * 1024 }
    say({ ...said, use })
    process.exit(0)
  }
}

function textIn(json: string): string {
  const value: unknown = JSON.parse(json)
  return typeof value === 'string' ? value : ''
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
