/**
 * Sends a run's events as server-sent events or as one JSON answer, at the reader's pace, and ends cleanly.
 */
import type { Loopwright } from '#lib/server/loopwright'
import { AppError } from '#lib/spec/errors'
import type { EventText } from '#lib/spec/store'
import { encodeEvent, heartbeat, retryHint } from '#lib/wire/sse'
import { patientStream } from './patient-stream'

/** A reader that takes nothing for this long is disconnected, in ms; it can resume where it was. */
const patience = 10_000

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

interface StreamRequest {
  readonly runId: string
  /** The seq of the reader's last event; 0 for none. */
  readonly after: number
  /** Aborts when the reader is gone. */
  readonly signal: AbortSignal
  /** In ms; 10,000 by default. */
  readonly patienceMs?: number
}

/** Throws `unavailable` if too many streams are open. */
export function streamRun(
  app: Loopwright,
  { runId, after, signal, patienceMs = patience }: StreamRequest,
): Response {
  const seat = app.streams.take(runId)
  if (seat === undefined) throw tooManyStreams()
  const stop = new AbortController()
  const parts = framesOf(runId, app.runs.watchPages(runId, after, stop.signal))
  const onEnd = () => {
    stop.abort()
    seat.release()
  }
  const body = patientStream({ parts, signals: [signal, seat.signal], patienceMs, onEnd })
  return new Response(body, { headers })
}

/** Only the headers of a stream, for HEAD requests: no stream is opened. */
export function streamHead(): Response {
  return new Response(null, { headers })
}

export function tooManyStreams(): AppError {
  return new AppError('unavailable', 'Too many streams are open. Close one, or try again in a moment.')
}

const encoder = new TextEncoder()

async function* framesOf(
  runId: string,
  pages: AsyncIterable<readonly EventText[] | 'beat'>,
): AsyncGenerator<Uint8Array, void> {
  yield encoder.encode(retryHint)
  for await (const page of pages) {
    if (page === 'beat') yield encoder.encode(heartbeat)
    else yield* framesOfPage(runId, page)
  }
}

/** Small events that come together go out as one part of about this many characters at most. */
const joinedChars = 16 * 1024

function* framesOfPage(runId: string, page: readonly EventText[]): Generator<Uint8Array, void> {
  let first = 0
  let size = 0
  for (const [index, { json }] of page.entries()) {
    if (index > first && size + json.length > joinedChars) {
      yield joined(runId, page.slice(first, index))
      first = index
      size = 0
    }
    size += json.length
  }
  yield joined(runId, page.slice(first))
}

function joined(runId: string, events: readonly EventText[]): Uint8Array {
  const [event] = events
  if (event !== undefined && events.length === 1) return encodedOnce(runId, event)
  return encoder.encode(events.map((each) => `${headOf(runId, each)}${each.json}\n\n`).join(''))
}

/** Stored JSON is on one line, so it is written between the two ends of an empty event, without another copy. */
function headOf(runId: string, { seq, type }: EventText): string {
  return encodeEvent({ id: `${runId}:${seq}`, event: type, data: '' }).slice(0, -2)
}

/**
 * All readers of a run get the same event objects, so they share the encoded bytes of a large event too. Both are
 * collected together.
 */
const encodings = new WeakMap<EventText, Uint8Array>()

function encodedOnce(runId: string, event: EventText): Uint8Array {
  const known = encodings.get(event)
  if (known !== undefined) return known
  const { json } = event
  const head = headOf(runId, event)
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(head) + Buffer.byteLength(json) + 2)
  const jsonEnd = bytes.write(head) + bytes.write(json, Buffer.byteLength(head))
  bytes.write('\n\n', jsonEnd)
  encodings.set(event, bytes)
  return bytes
}

/** Every event stored so far as `{items}`, read from disk page by page while it is sent. */
export function wholeRun(
  app: Loopwright,
  { runId, signal, patienceMs = patience }: Omit<StreamRequest, 'after'>,
): Response {
  const parts = itemsOf(app.runs.events(runId))
  const body = patientStream({ parts, signals: [signal], patienceMs })
  return new Response(body, {
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  })
}

async function* itemsOf(pages: Iterable<readonly EventText[]>): AsyncGenerator<Uint8Array, void> {
  let before = '{"items":['
  for (const page of pages) {
    yield encoder.encode(before + page.map(({ json }) => json).join(','))
    before = ','
  }
  yield encoder.encode(before === ',' ? ']}' : `${before}]}`)
}

/**
 * The reader's position from `Last-Event-ID`, or else from `?after=`: a seq, 0 if neither is given. Throws
 * `invalid_event_id` for another run's id, a malformed value, or a seq in the future.
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
    throw new AppError('invalid_event_id', `The id of an event of this run has the form "${runId}:12".`)
  }
  const after = Number(digits)
  if (after > seq)
    throw new AppError(
      'invalid_event_id',
      `The run has only ${seq} events so far, so there is no event ${after}.`,
    )
  return after
}

/** Whether the caller wants live events; `fallback` decides if `Accept` names neither events nor JSON. */
export function wantsStream(request: Request, fallback: boolean): boolean {
  const accept = request.headers.get('accept') ?? ''
  if (accept.includes('text/event-stream')) return true
  return fallback && !accept.includes('application/json')
}
