/**
 * Asks a child program one question and takes its one answer, behind a wall: it can open no file but its own program
 * and those it is given to read, and has limited memory and time.
 */
import path from 'node:path'
import type { WaitInLine } from '#lib/spec/turns'
import { type Child, childProgram, startChild } from './children'
import { type OsSandbox, osSandbox } from './os-sandbox'
import { TurnQueue, turnIn } from './turns'

/** A child program with its limits. */
interface WalledLimits {
  /** The child program: `chart-child`. */
  readonly program: string
  readonly heapMiB: number
  /** Memory outside of the heap, such as that of WebAssembly. */
  readonly outsideMiB?: number
  readonly milliseconds: number
  readonly maxOutputBytes: number
}

type Input = string | Uint8Array
/** Why there is nothing to ask. */
interface NoInput {
  readonly ok: false
  readonly message: string
}

export interface WalledQuestion<R extends NoInput = never> {
  /** Made once a process is free, so that nothing waits in memory. */
  input(): Promise<Input | R>
  /** Folders that the program reads at work, absolute. */
  readonly readable?: readonly string[]
  /** Default: the program's own limit. */
  readonly timeoutMs?: number | undefined
  /** How the caller waits for a free process. */
  readonly inLine?: WaitInLine | undefined
}

export type WalledFault =
  | 'timeout'
  | 'memory'
  | 'aborted'
  | 'busy'
  /** No process could be started. */
  | 'unavailable'
  /** It said more than it may. */
  | 'output'
  /** It ended without an answer. */
  | 'broken'

export type WalledAnswer =
  | { readonly ok: true; readonly output: Buffer }
  | { readonly ok: false; readonly fault: WalledFault }

/** What ports call these faults; what is broken, each port calls as it sees fit. */
export const walledCodes = {
  timeout: 'timeout',
  memory: 'memory',
  aborted: 'aborted',
  busy: 'busy',
  unavailable: 'unavailable',
  output: 'too_large',
} as const satisfies Record<Exclude<WalledFault, 'broken'>, string>

/** At most two of its processes run at the same time. */
export class WalledProgram {
  readonly #turns = new TurnQueue(2)

  constructor(private readonly limits: WalledLimits) {}

  /**
   * Asks one question in a process of its own. Never throws, except what `input` throws.
   * @param sandbox the wall of the operating system around the child, where there is one
   */
  async ask<R extends NoInput = never>(
    question: WalledQuestion<R>,
    signal: AbortSignal,
    sandbox: () => Promise<OsSandbox | undefined> = osSandbox,
  ): Promise<WalledAnswer | R> {
    const { inLine, readable = [], timeoutMs = this.limits.milliseconds } = question
    const giveBack = await turnIn(this.#turns, signal, { ...(inLine && { inLine }) })
    if (typeof giveBack === 'string') return { ok: false, fault: giveBack }
    try {
      const input = await question.input()
      if (typeof input !== 'string' && 'ok' in input) return input
      const wall = await sandbox().catch(() => undefined)
      if (signal.aborted) return { ok: false, fault: 'aborted' }
      const child = start(this.limits, readable, wall)
      if (child === undefined) return { ok: false, fault: 'unavailable' }
      return await answerOf(child, { input, timeoutMs, maxOutputBytes: this.limits.maxOutputBytes }, signal)
    } finally {
      giveBack()
    }
  }
}

/** Undefined if the system has no pipes left. */
function start(
  { program, heapMiB, outsideMiB = 256, milliseconds }: WalledLimits,
  readable: readonly string[],
  wall: OsSandbox | undefined,
): Child | undefined {
  const own = childProgram(program)
  // Nothing here needs code that is made while it runs, and no question shall ever become such code.
  const v8Flags = ['--disallow-code-generation-from-strings']
  const bounds = {
    memoryMiB: heapMiB + outsideMiB,
    heapMiB,
    cpuSeconds: milliseconds / 1_000 + 5,
    fileMiB: 1,
  }
  const walls = wall
    ? { v8Flags, box: (command: readonly string[]) => wall.wrap(command, [own, ...readable]) }
    : { v8Flags: [...v8Flags, ...onlyReading(own, readable)] }
  try {
    return startChild(program, [], { ...bounds, ...walls })
  } catch {
    return undefined
  }
}

/** Flags of Node's permission model: no file but these, no process, no thread, no native module. */
function onlyReading(program: string, folders: readonly string[]): string[] {
  const has = process.allowedNodeEnvironmentFlags.has('--permission')
  return [
    has ? '--permission' : '--experimental-permission',
    `--allow-fs-read=${program}`,
    // A folder counts with everything in it when it ends in a separator.
    ...folders.map((folder) => `--allow-fs-read=${folder}${path.sep}`),
  ]
}

/** The exit codes by which a shell or a sandbox around the child reports the signal that ended it. */
const signalOffset = 128
const tooMuchProcessor = 24

interface Asking {
  readonly input: Input
  readonly timeoutMs: number
  readonly maxOutputBytes: number
}

async function answerOf(
  child: Child,
  { input, timeoutMs, maxOutputBytes }: Asking,
  signal: AbortSignal,
): Promise<WalledAnswer> {
  let stop: WalledFault | undefined
  const end = (why: WalledFault) => {
    stop ??= why
    kill(child)
  }
  const timer = setTimeout(() => end('timeout'), timeoutMs)
  const onAbort = () => end('aborted')
  signal.addEventListener('abort', onAbort, { once: true })
  const parts: Buffer[] = []
  let bytes = 0
  const exit = new Promise<NodeJS.Signals | number | null>((resolve) => {
    child.on('error', () => resolve(null))
    child.on('close', (code, by) => resolve(by ?? code))
  })
  // Writing to a child that has ended fails, which its exit explains.
  child.stdin.on('error', () => {})
  child.stdout.on('data', (part: Buffer) => {
    bytes += part.length
    if (bytes > maxOutputBytes) end('output')
    else parts.push(part)
  })
  child.stdin.end(input)
  try {
    const how = await exit
    if (stop !== undefined) return { ok: false, fault: stop }
    return how === 0 ? { ok: true, output: Buffer.concat(parts) } : { ok: false, fault: faultOf(how) }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    kill(child)
  }
}

function faultOf(exit: NodeJS.Signals | number | null): WalledFault {
  if (exit === 'SIGXCPU' || exit === signalOffset + tooMuchProcessor) return 'timeout'
  const isAbort = typeof exit === 'number' ? exit > signalOffset : exit !== null
  return isAbort ? 'memory' : 'broken'
}

/** Kills the child and whatever it may have started. */
function kill(child: Child): void {
  // The system may use the number of a process that has ended for another one.
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    if (process.platform !== 'win32') process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The process group is already gone.
  }
  child.kill('SIGKILL')
}
