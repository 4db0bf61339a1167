/**
 * One child process for one execution of foreign JavaScript. Its messages are checked against limits, and it
 * is always killed at the end.
 */
import path from 'node:path'
import { z } from 'zod'
import { tryParseJson } from '#lib/spec/json'
import { JsonScan } from '#lib/spec/json-scan'
import type { JavascriptAnswer, JavascriptRequest } from '#lib/spec/sandbox'
import type { ScriptUsage } from '#lib/spec/script-usage'
import { type ChildExit, exitFault, exitOf, killGroup } from './child-end'
import { type Child, childProgram, holdChild, startChild } from './children'
import { JavascriptFiles } from './javascript-files'
import {
  type ChildUse,
  type FromChild,
  maxCpuMs,
  maxLogBytes,
  maxResultBytes,
  maxWriteBytes,
  type ToChild,
} from './javascript-wire'
import { Lines } from './lines'
import type { OsSandbox } from './os-sandbox'
import { packageAbove } from './package-folder'
import { readTree, type TreeUse } from './walls/process-tree'

/**
 * The kernel's limit on processor time, start-up included, is for a child that does not keep its own limit.
 */
const bounds = {
  memoryMiB: 512,
  heapMiB: 96,
  cpuSeconds: maxCpuMs / 1_000 + 5,
  fileMiB: 1,
  stackMiB: 4,
  // How long a function of QuickJS runs before V8 optimizes it. This is the value of newer versions of Node.
  // With the value of Node 20, starting QuickJS is already long enough, and optimizing its interpreter costs
  // more processor time than most executions; executions that take seconds are as fast with either.
  v8Flags: ['--wasm-tiering-budget=13000000'],
}
const program = 'javascript-child'
const packages = ['quickjs-emscripten-core', '@jitl/quickjs-wasmfile-release-sync', '@jitl/quickjs-ffi-types']
const maxLineBytes = maxWriteBytes + 1024 * 1024
/** A result is read recursively; one that is nested deeper than this is rejected. */
const maxDepth = 100

const use = z.strictObject({ cpuSeconds: z.number().min(0), peakBytes: z.number().min(0) }).optional()

const fromChild = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('log'), text: z.string() }),
  z.strictObject({ type: z.literal('note'), text: z.string() }),
  z.strictObject({ type: z.literal('read'), id: z.int(), path: z.string() }),
  z.strictObject({ type: z.literal('write'), id: z.int(), path: z.string(), text: z.string() }),
  z.strictObject({ type: z.literal('done'), json: z.string().optional(), use }),
  z.strictObject({
    type: z.literal('failed'),
    code: z.enum(['javascript_error', 'timeout', 'memory', 'too_large']),
    message: z.string(),
    use,
  }),
])

const flooded = 'The code requested files far more often than it may, and was stopped.'

/** Why an execution ended before its function did. */
export type EarlyEnding = 'timeout' | 'aborted'

type Said = FromChild | { readonly type: 'gone' }
type Failed = Extract<JavascriptAnswer, { ok: false }>

/** Owns its process: the creator must kill it. The constructor throws a `NoChildError` if the system starts no process. */
export class JavascriptProcess {
  private readonly child: Child
  private readonly lines = new Lines(maxLineBytes)
  private readonly heard: Said[] = []
  private listener: (() => void) | undefined
  private isReady = false
  private isGone = false
  private exit: ChildExit = null
  /** When the execution began, and what starting had used until then. */
  private began: { readonly at: number; readonly use: TreeUse | undefined } | undefined
  /** What the child says that it used. */
  private told: ChildUse | undefined
  /** What the execution had used when it was stopped. */
  private used: ScriptUsage | undefined

  constructor(sandbox: OsSandbox | undefined) {
    const box = sandbox && ((command: readonly string[]) => sandbox.wrap(command, readable()))
    this.child = startChild(program, [], { ...bounds, ...(box && { box }) })
    void exitOf(this.child).then((exit) => {
      this.exit = exit
      this.end()
    })
    // Writing to a child that has ended, or is about to end, fails; its exit gives the reason.
    this.child.stdin.on('error', () => {})
    this.child.stdout.on('data', (chunk: Buffer) => this.hear(chunk))
  }

  /** Whether the process can still take its one execution. */
  get isAlive(): boolean {
    return !this.isGone
  }

  /** Kills the child and every process that it may have started. */
  kill(): void {
    killGroup(this.child)
  }

  /** An idle child must not keep the server process alive. */
  hold(how: 'ref' | 'unref'): void {
    holdChild(this.child, how)
  }

  /**
   * Runs the one execution and kills the process. `over` aborts with an `EarlyEnding` as
   * its reason. Never throws.
   */
  async run(request: JavascriptRequest, over: AbortSignal): Promise<JavascriptAnswer> {
    this.hold('ref')
    const files = new JavascriptFiles(request.files)
    const onOver = () => {
      this.used = this.measure()
      this.kill()
      files.close()
      this.listener?.()
    }
    over.addEventListener('abort', onOver, { once: true })
    try {
      const answer = await this.answered(request, files, over)
      // File requests that were sent before the end are finished first, so that the answer lists
      // every file that was written.
      await files.settled()
      const ended = over.aborted ? endedEarly(over.reason, request.timeoutMs) : answer
      const usage = this.used ?? this.measure()
      return { ...ended, written: files.written, ...(usage && { usage }) }
    } finally {
      over.removeEventListener('abort', onOver)
      this.kill()
    }
  }

  private async answered(
    { source, args, run, timeoutMs, log, note }: JavascriptRequest,
    files: JavascriptFiles,
    over: AbortSignal,
  ): Promise<JavascriptAnswer> {
    let logged = 0
    for (;;) {
      const said = await this.next(over)
      if (said === undefined) return endedEarly(over.reason, timeoutMs)
      switch (said.type) {
        case 'ready':
          if (this.isReady) return fault('javascript_error', broken)
          this.isReady = true
          this.began = { at: performance.now(), use: this.use }
          void this.tell({ type: 'run', source, args, timeoutMs, ...(run && { run }) })
          break
        case 'log':
          logged += Buffer.byteLength(said.text)
          // Allows a little more than the child's limit, for the line that counts the omitted lines.
          if (logged <= maxLogBytes + 1024) log(said.text)
          break
        case 'note':
          note?.(said.text)
          break
        case 'read':
        case 'write':
          if (files.isFlood) return fault('too_large', flooded)
          this.serve(said, files)
          break
        case 'done':
          this.told = said.use
          return answerOf(said.json)
        case 'failed':
          this.told = said.use
          return fault(said.code, said.message)
        case 'gone':
          return this.goneAnswer()
        default:
          return said satisfies never
      }
    }
  }

  /** Stops reading from a child while too many of its requests wait. */
  private serve(asked: Extract<FromChild, { type: 'read' | 'write' }>, files: JavascriptFiles): void {
    void files.ask(asked, async (answer) => {
      await this.tell(answer)
      this.child.stdout.resume()
    })
    if (files.isFull) this.child.stdout.pause()
  }

  private goneAnswer(): Failed {
    if (!this.isReady) return fault('unavailable', 'The process that runs JavaScript could not be started.')
    const why = exitFault(this.exit)
    switch (why) {
      case 'timeout':
        return fault(
          'timeout',
          `The code used more than ${maxCpuMs / 1_000} seconds of processor time and was stopped.`,
        )
      case 'memory':
        return fault('memory', 'The code needed more memory than it may have, and was stopped.')
      case 'broken':
        return fault('javascript_error', 'The code ended the process that ran it.')
      default:
        return why satisfies never
    }
  }

  /** Nothing on systems that do not report it. A sandbox is a process or two around the child. */
  private get use(): TreeUse | undefined {
    const { pid } = this.child
    return pid === undefined || this.isGone ? undefined : readTree(pid, 8)
  }

  /** What the execution has used until now; undefined if it has not begun. */
  private measure(): ScriptUsage | undefined {
    if (this.began === undefined) return undefined
    const { at, use: before } = this.began
    const wallMs = Math.round(performance.now() - at)
    if (this.told !== undefined)
      return { wallMs, cpuSeconds: rounded(this.told.cpuSeconds), peakMemoryBytes: this.told.peakBytes }
    const after = this.use
    // A process that is about to end has no memory any more.
    const isKnown = before !== undefined && after !== undefined && after.largestPeakBytes > 0
    return {
      wallMs,
      cpuSeconds: isKnown ? rounded(after.cpuSeconds - before.cpuSeconds) : null,
      peakMemoryBytes: isKnown ? after.largestPeakBytes : null,
    }
  }

  /** Waits until the child has taken most of the data, so that unread answers do not pile up in memory. */
  private async tell(said: ToChild): Promise<void> {
    const { stdin } = this.child
    if (this.isGone || this.child.killed || stdin.destroyed) return
    if (stdin.write(`${JSON.stringify(said)}\n`)) return
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

  /** The next message; undefined if the execution ended first. */
  private async next(over: AbortSignal): Promise<Said | undefined> {
    while (this.heard.length === 0 && !this.isGone && !over.aborted) {
      await new Promise<void>((resolve) => {
        this.listener = resolve
      })
    }
    if (over.aborted) return undefined
    return this.heard.shift() ?? { type: 'gone' }
  }

  private hear(chunk: Buffer): void {
    const lines = this.lines.add(chunk)
    const said = lines?.map(read)
    // A child that breaks the protocol is killed.
    if (said === undefined || said.includes(undefined)) {
      this.heard.push({ type: 'failed', code: 'javascript_error', message: broken })
      this.kill()
    } else this.heard.push(...said.filter((each) => each !== undefined))
    this.listener?.()
  }

  private end(): void {
    this.isGone = true
    this.listener?.()
  }
}

/** Hundredths of a second. */
function rounded(seconds: number): number {
  return Math.max(0, Math.round(seconds * 100) / 100)
}

const broken = 'The code broke the rules of its process, and was stopped.'

/** The answer of an execution that was stopped or never started. */
export function endedEarly(reason: unknown, timeoutMs: number): Failed {
  if (reason !== 'timeout') return fault('aborted', 'The code was stopped.')
  return fault('timeout', `The code ran longer than ${timeoutMs / 1_000} seconds and was stopped.`)
}

export function fault(code: Failed['code'], message: string): Failed {
  return { ok: false, code, message, written: [] }
}

function read(line: string): FromChild | undefined {
  return fromChild.safeParse(tryParseJson(line)).data
}

function answerOf(json: string | undefined): JavascriptAnswer {
  if (json === undefined) return { ok: true, value: undefined, written: [] }
  if (Buffer.byteLength(json) > maxResultBytes)
    return fault('too_large', 'The result is larger than 1 MiB of JSON.')
  // A recursive check would itself overflow the stack.
  if (new JsonScan().push(json, { maxDepth }) < json.length)
    return fault('too_large', `The result is nested deeper than ${maxDepth} levels.`)
  const value = tryParseJson(json)
  if (value === undefined) return fault('javascript_error', 'The result is not valid JSON.')
  return { ok: true, value, written: [] }
}

/** The files of this machine that the child program needs to read. */
function readable(): string[] {
  const file = childProgram(program)
  return [file, ...packages.flatMap((name) => packageAbove(path.dirname(file), name))]
}
