/**
 * Stops the server on a signal: runs are kept for the next start, streams end cleanly, all within ten
 * seconds.
 */
import type { Server } from 'node:http'
import type { Composition } from './compose'
import type { Door } from './door/door'
import type { Lock } from './lock'

export interface Stoppable {
  readonly door: Pick<Door, 'shut'>
  readonly server: Server
  readonly composition: Composition
  readonly lock: Lock
  /** Closes the pages. */
  close(): Promise<void>
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/**
 * ms for runs to stop at a safe point, for streams to send their last data, for the pages to close, and in
 * total.
 */
const patience = { runs: 7_000, streams: 1_000, pages: 500, all: 9_500 }
/** ms. One key press may arrive as two signals, from the terminal and from npm. */
const samePress = 500

/** Where signals come from and what exits: the process, or its replacement in a test. */
export interface Host {
  on(signal: NodeJS.Signals, listener: () => void): unknown
  exit(code: number): void
}

export function stopOnSignals(parts: Stoppable, host: Host = process): void {
  let since: number | undefined
  for (const signal of signals) {
    host.on(signal, () => {
      if (since === undefined) {
        since = performance.now()
        void stop(parts, host)
      } else if (performance.now() - since > samePress) {
        host.exit(1)
      }
    })
  }
}

async function stop({ door, server, composition, lock, close }: Stoppable, host: Host): Promise<void> {
  setTimeout(() => host.exit(0), patience.all).unref()
  try {
    door.shut()
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    await composition.drain(patience.runs)
    const sweep = setInterval(() => server.closeIdleConnections(), 50)
    await within(patience.streams, closed)
    clearInterval(sweep)
    server.closeAllConnections()
    await within(patience.pages, close())
    composition.close()
    lock.release()
  } catch (error) {
    console.error(error)
    return host.exit(1)
  }
  host.exit(0)
}

function within(ms: number, work: Promise<unknown>): Promise<unknown> {
  return Promise.race([work, new Promise((resolve) => setTimeout(resolve, ms))])
}
