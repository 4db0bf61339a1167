/** A run's events as a stream of server-sent events: read at the reader's pace, ended cleanly. */
import type { Loopwright } from '#lib/server/loopwright'
import { AppError } from '#lib/spec/errors'
import { encodeEvent, heartbeat, retryHint } from './sse'

/** A reader that takes nothing for this long is let go, ms; it resumes where it was. */
const patience = 10_000

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

interface StreamRequest {
  readonly runId: string
  /** The last event the reader has; 0 for none. */
  readonly after: number
  /** Aborts when the reader is gone. */
  readonly signal: AbortSignal
  /** ms, 10,000 unless said. */
  readonly patienceMs?: number
}

/** Throws `unavailable` when too many read already. */
export function streamRun(
  app: Loopwright,
  { runId, after, signal, patienceMs = patience }: StreamRequest,
): Response {
  const seat = app.streams.take(runId)
  if (seat === undefined) throw tooManyStreams()
  const stop = new AbortController()
  const events = app.runs.watch(runId, after, stop.signal)[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  let timer: ReturnType<typeof setTimeout> | undefined
  let over = false

  // Called by whatever ends the stream first: its end, the reader, its slowness, the server's shutdown.
  const leave = () => {
    if (over) return
    over = true
    clearTimeout(timer)
    signal.removeEventListener('abort', leave)
    seat.signal.removeEventListener('abort', leave)
    stop.abort()
    seat.release()
  }
  signal.addEventListener('abort', leave, { once: true })
  seat.signal.addEventListener('abort', leave, { once: true })
  if (signal.aborted || seat.signal.aborted) leave()

  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(retryHint)),
    pull: async (controller) => {
      clearTimeout(timer)
      const next = await events.next().catch((error: unknown) => {
        leave()
        throw error
      })
      if (next.done) {
        leave()
        controller.close()
        return
      }
      controller.enqueue(encoder.encode(next.value === 'beat' ? heartbeat : frame(runId, next.value)))
      timer = setTimeout(() => {
        if (over) return
        leave()
        controller.error(new Error('the reader takes nothing'))
      }, patienceMs)
    },
    cancel: leave,
  })
  return new Response(body, { headers })
}

export function tooManyStreams(): AppError {
  return new AppError('unavailable', 'Too many streams are open; close one, or try again in a moment.')
}

function frame(runId: string, { seq, type, json }: { seq: number; type: string; json: string }): string {
  return encodeEvent({ id: `${runId}:${seq}`, event: type, data: json })
}

/**
 * Where a reader is, from `Last-Event-ID` or else `?after=`: the seq, 0 when it says nothing.
 * Throws `invalid_event_id` for another run's id, garbage, or a seq that is still to come.
 */
export function readPosition({
  runId,
  header,
  query,
  seq,
}: {
  runId: string
  header: string | null
  query: string | null
  seq: number
}): number {
  const text = header ?? query
  if (text === null) return 0
  const own = `${runId}:`
  const digits = text.startsWith(own) ? text.slice(own.length) : header === null ? text : ''
  if (!/^(0|[1-9]\d{0,14})$/.test(digits)) {
    throw new AppError('invalid_event_id', `An event of this run is named like "${runId}:12".`)
  }
  const after = Number(digits)
  if (after > seq)
    throw new AppError('invalid_event_id', `The run has ${seq} events so far, none with the number ${after}.`)
  return after
}

/** Whether the caller wants events as they happen; without a word it does where `fallback` says so. */
export function wantsStream(request: Request, fallback: boolean): boolean {
  const accept = request.headers.get('accept') ?? ''
  if (accept.includes('text/event-stream')) return true
  return fallback && !accept.includes('application/json')
}
