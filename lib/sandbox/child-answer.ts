/** Gives a child program its input, and takes the one answer that it has written when it ends by itself. */
import { type Child, type ChildBounds, childOrNone, startChild } from './children'

export interface ChildRequest {
  /** The child program: `page-child`. */
  readonly program: string
  readonly input: string | Uint8Array
  readonly bounds: ChildBounds
  readonly timeoutMs: number
  readonly maxOutputBytes: number
}

export type ChildFault =
  | 'timeout'
  | 'memory'
  | 'aborted'
  /** No process could be started. */
  | 'unavailable'
  /** It said more than it may. */
  | 'output'
  /** It ended without an answer. */
  | 'broken'

export type ChildAnswer =
  | { readonly ok: true; readonly output: Buffer }
  | { readonly ok: false; readonly code: ChildFault }

/** Never throws, except for bugs. */
export async function answerOfChild(request: ChildRequest, signal: AbortSignal): Promise<ChildAnswer> {
  if (signal.aborted) return { ok: false, code: 'aborted' }
  const child = childOrNone(() => startChild(request.program, [], request.bounds))
  return child === undefined ? { ok: false, code: 'unavailable' } : await answerOf(child, request, signal)
}

/** The exit codes by which a shell or a sandbox around the child reports the signal that ended it. */
const signalOffset = 128
const tooMuchProcessor = 24

async function answerOf(
  child: Child,
  { input, timeoutMs, maxOutputBytes }: ChildRequest,
  signal: AbortSignal,
): Promise<ChildAnswer> {
  let stop: ChildFault | undefined
  const end = (why: ChildFault) => {
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
    if (child.pid === undefined) return { ok: false, code: 'unavailable' }
    return how === 0 ? { ok: true, output: Buffer.concat(parts) } : { ok: false, code: faultOf(how) }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    kill(child)
  }
}

function faultOf(exit: NodeJS.Signals | number | null): ChildFault {
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
