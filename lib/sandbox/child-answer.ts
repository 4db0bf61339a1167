/** Gives a child program its input, and takes its output when it has ended by itself. */
import { type ChildBounds, startChild } from './children'

export interface ChildRequest {
  /** The child program: `page-child`. */
  readonly program: string
  readonly input: string | Uint8Array
  readonly bounds: ChildBounds
  readonly timeoutMs: number
  readonly maxOutputBytes: number
}

/** Undefined if the child failed, was too slow, said too much or was stopped. Throws when none can be started. */
export async function answerOfChild(
  { program, input, bounds, timeoutMs, maxOutputBytes }: ChildRequest,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (signal.aborted) return undefined
  const child = startChild(program, [], bounds)
  const parts: Buffer[] = []
  let bytes = 0
  const kill = () => child.kill('SIGKILL')
  const timer = setTimeout(kill, timeoutMs)
  signal.addEventListener('abort', kill, { once: true })
  child.stdin.on('error', kill)
  child.stdout.on('data', (part: Buffer) => {
    bytes += part.length
    if (bytes > maxOutputBytes) kill()
    else parts.push(part)
  })
  const ended = new Promise<boolean>((resolve) => {
    child.on('error', () => resolve(false))
    child.on('close', (code) => resolve(code === 0))
  })
  child.stdin.end(input)
  try {
    return (await ended) ? Buffer.concat(parts).toString('utf8') : undefined
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', kill)
  }
}
