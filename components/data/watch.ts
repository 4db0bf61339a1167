/**
 * Watches a run from the browser: yields its events in order, each once, however often the connection breaks.
 */
import { isRunEnd, type RunEvent } from '#lib/spec/event'
import { decodeEvents } from '#lib/wire/sse'
import { ApiError, request } from './call'

export type Connection = 'live' | 'reconnecting' | 'ended' | 'failed'

export interface WatchOptions {
  /** The seq of the last event already known; 0 for all events. */
  readonly after?: number
  readonly signal: AbortSignal
  onEvent(event: RunEvent): void
  /** `failed` comes with the reason; after `ended` and `failed` nothing follows. */
  onState?(state: Connection, error?: ApiError): void
}

/** Pauses between attempts, in ms; the last one repeats. */
const pauses = [250, 500, 1_000, 2_000, 5_000]
/** The server sends something every 10 s; a connection that is silent for longer than this is dead, in ms. */
const patience = 25_000

/** Resolves when the run is over, when watching failed for good, or when the signal aborts. */
export async function watchRun(runId: string, options: WatchOptions): Promise<void> {
  const { signal } = options
  let seq = options.after ?? 0
  let misses = 0
  while (!signal.aborted) {
    const before = seq
    const outcome = await readOnce(runId, seq, options, (event) => {
      seq = event.seq
    })
    if (signal.aborted) return
    if (outcome === 'ended') return options.onState?.('ended')
    if (outcome instanceof ApiError && isFinal(outcome)) return options.onState?.('failed', outcome)
    misses = seq > before ? 0 : misses + 1
    options.onState?.('reconnecting')
    await pause(pauses[Math.min(misses, pauses.length - 1)] ?? 0, signal)
  }
}

/** Failures that a retry does not change. */
function isFinal({ status }: ApiError): boolean {
  return status >= 400 && status < 500 && status !== 429
}

type Outcome = 'ended' | 'broken' | ApiError

/** One connection, from opening it to its end. */
async function readOnce(
  runId: string,
  after: number,
  { signal, onEvent, onState }: WatchOptions,
  seen: (event: RunEvent) => void,
): Promise<Outcome> {
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), patience)
  const onBeat = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), patience)
  }
  let seq = after
  let telling = false
  try {
    const response = await request('GET /api/runs/{id}/events', {
      params: { id: runId },
      headers: { accept: 'text/event-stream', ...(after > 0 && { 'last-event-id': `${runId}:${after}` }) },
      signal: AbortSignal.any([signal, silence.signal]),
    })
    if (response.status === 204 || response.body === null) return 'ended'
    onState?.('live')
    for await (const { data } of decodeEvents(response.body, { onBeat })) {
      const event = JSON.parse(data) as RunEvent // cast: server and page are built together from the same schema
      if (event.seq <= seq) continue
      if (event.seq !== seq + 1) return 'broken'
      seq = event.seq
      seen(event)
      telling = true
      onEvent(event)
      telling = false
      if (isRunEnd(event)) return 'ended'
    }
    return 'broken'
  } catch (error) {
    // An exception from a listener is a bug of the listener, not a broken connection.
    if (telling) throw error
    return error instanceof ApiError ? error : 'broken'
  } finally {
    clearTimeout(timer)
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done, { once: true })
  })
}
