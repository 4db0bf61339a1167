/** Serves an agent over standard input and output, to clients of any revision. */
import type { Readable, Writable } from 'node:stream'
import { type ServedAgent, serverOf } from './serve'

interface Streams {
  readonly input: Readable
  /** Gets messages of the protocol and nothing else. */
  readonly output: Writable
  /** Closes the connection. */
  readonly signal: AbortSignal
  report(error: Error): void
}

/** Resolves when the client has closed its end, or the signal aborts; calls that are open are cancelled then. */
export async function serveStdio(
  agent: ServedAgent,
  { input, output, signal, report }: Streams,
): Promise<void> {
  const [sdk, stdio] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('@modelcontextprotocol/server/stdio'),
  ])
  const never = new AbortController().signal
  const server = stdio.serveStdio(
    () =>
      serverOf(sdk, agent, ({ mcpReq }) => ({
        cancelled: mcpReq.signal,
        gone: never,
        end: () => undefined,
      })),
    { transport: new stdio.StdioServerTransport(input, output), onerror: report },
  )
  await new Promise<void>((resolve) => {
    if (signal.aborted) return resolve()
    input.once('end', resolve)
    input.once('close', resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  await server.close()
}
