/**
 * Server-sent events, both ends: an encoder with LF line ends, and a reader that accepts bytes cut anywhere.
 */
import { createParser } from 'eventsource-parser'

export interface Sent {
  readonly id?: string
  readonly event?: string
  readonly data: string
}

/** A comment that keeps the stream alive: the server runs, but nothing happened. */
export const heartbeat = ': \n\n'
/** How long a reader waits before it reconnects, in ms. */
export const retryHint = 'retry: 1000\n\n'

/** One event in the wire format. Throws on an id or event name with a line break or NUL. */
export function encodeEvent({ id, event, data }: Sent): string {
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
): AsyncGenerator<Sent, void> {
  const ready: Sent[] = []
  const parser = createParser({
    maxBufferSize: maxEvent,
    onEvent: ({ id, event, data }) =>
      ready.push({ ...(id !== undefined && { id }), ...(event !== undefined && { event }), data }),
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') throw error
    },
  })
  const decoder = new TextDecoder()
  const reader = body.getReader()
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      onBeat?.()
      parser.feed(decoder.decode(chunk.value, { stream: true }))
      yield* ready.splice(0)
    }
  } finally {
    // A caller that stops early closes the connection; after the end this does nothing.
    await reader.cancel().catch(() => undefined)
  }
}
