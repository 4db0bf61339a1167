/**
 * Asks a child program one question and takes its one answer, behind a wall: it can open no file but its own program
 * and those it is given to read, and has limited memory and time.
 */
import path from 'node:path'
import type { WaitInLine } from '#lib/spec/turns'
import { type Child, type ChildBounds, childProgram, startChild } from './children'
import { type OsSandbox, osSandbox } from './os-sandbox'
import { type TurnQueue, turnIn } from './turns'

export interface WalledQuestion {
  /** The child program: `chart-child`. */
  readonly program: string
  readonly input: string | Uint8Array
  /** Folders that the program reads at work, absolute. */
  readonly readable?: readonly string[]
  readonly bounds: Omit<ChildBounds, 'box'>
  readonly timeoutMs: number
  readonly maxOutputBytes: number
  readonly turns: TurnQueue
  /** How the caller waits for a free process. */
  readonly inLine?: WaitInLine
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
  | { readonly ok: false; readonly code: WalledFault }

/**
 * Never throws.
 * @param sandbox the wall of the operating system around the child, where there is one
 */
export async function askWalled(
  question: WalledQuestion,
  signal: AbortSignal,
  sandbox: () => Promise<OsSandbox | undefined> = osSandbox,
): Promise<WalledAnswer> {
  const { turns, inLine } = question
  const giveBack = await turnIn(turns, signal, { ...(inLine && { inLine }) })
  if (typeof giveBack === 'string') return { ok: false, code: giveBack }
  try {
    const wall = await sandbox().catch(() => undefined)
    if (signal.aborted) return { ok: false, code: 'aborted' }
    const child = start(question, wall)
    return child === undefined ? { ok: false, code: 'unavailable' } : await answerOf(child, question, signal)
  } finally {
    giveBack()
  }
}

/** Undefined if the system has no pipes left. */
function start(
  { program, bounds, readable = [] }: WalledQuestion,
  wall: OsSandbox | undefined,
): Child | undefined {
  const own = childProgram(program)
  const walls = wall
    ? { box: (command: readonly string[]) => wall.wrap(command, [own, ...readable]) }
    : { v8Flags: [...(bounds.v8Flags ?? []), ...onlyReading(own, readable)] }
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

async function answerOf(
  child: Child,
  { input, timeoutMs, maxOutputBytes }: WalledQuestion,
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
    if (stop !== undefined) return { ok: false, code: stop }
    return how === 0 ? { ok: true, output: Buffer.concat(parts) } : { ok: false, code: faultOf(how) }
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
