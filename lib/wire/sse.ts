/**
 * Server-sent events, both ends: an encoder with LF line ends, and a reader that accepts bytes cut anywhere.
 */
import { type SseEvent, SseReader } from '#lib/spec/sse'

/** A comment that keeps the stream alive: the server runs, but nothing happened. */
export const heartbeat = ': \n\n'
/** How long a reader waits before it reconnects, in ms. */
export const retryHint = 'retry: 1000\n\n'

/** One event in the wire format. Throws on an id or event name with a line break or NUL. */
export function encodeEvent({ id, event, data }: SseEvent): string {
  let text = ''
  if (id !== undefined) text += `id: ${oneLine(id)}\n`
  if (event !== undefined) text += `event: ${oneLine(event)}\n`
  for (const line of data.split(/\r\n|\r|\n/)) text += `data: ${line}\n`
  return `${text}\n`
}

function oneLine(value: string): string {
  if (/[\r\n\0]/.test(value)) throw new Error('an event id or name must stand on one line')
  return value
}

/** A reader fails on an event longer than this, in characters. */
const maxEvent = 16 * 1024 * 1024

/**
 * Reads a stream of events. `onBeat` is called whenever bytes arrive, for events and comments alike. Ends
 * when the stream ends; throws what the stream throws.
 */
export async function* decodeEvents(
  body: ReadableStream<Uint8Array>,
  { onBeat }: { onBeat?(): void } = {},
): AsyncGenerator<SseEvent, void> {
  const events = new SseReader(maxEvent)
  const reader = body.getReader()
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      onBeat?.()
      const ready = events.push(chunk.value)
      if (events.isTooLarge) throw new Error(`An event is longer than ${maxEvent} characters.`)
      yield* ready
    }
  } finally {
    // A caller that stops early closes the connection; after the end this does nothing.
    await reader.cancel().catch(() => undefined)
  }
}
