/** Gives a child program its input, and takes the one answer that it has written when it ends by itself. */
import { exitFault, exitOf, killGroup } from './child-end'
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

async function answerOf(
  child: Child,
  { input, timeoutMs, maxOutputBytes }: ChildRequest,
  signal: AbortSignal,
): Promise<ChildAnswer> {
  let stop: ChildFault | undefined
  const end = (why: ChildFault) => {
    stop ??= why
    killGroup(child)
  }
  const timer = setTimeout(() => end('timeout'), timeoutMs)
  const onAbort = () => end('aborted')
  signal.addEventListener('abort', onAbort, { once: true })
  const parts: Buffer[] = []
  let bytes = 0
  const exit = exitOf(child)
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
    return how === 0 ? { ok: true, output: Buffer.concat(parts) } : { ok: false, code: exitFault(how) }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    killGroup(child)
  }
}
