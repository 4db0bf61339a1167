/**
 * Writes events as bytes, in every form that the server-sent events standard allows, and
 * cuts the bytes in every way.
 */
import type { Chunking, Form, Frame } from './behaviour'

const encoder = new TextEncoder()

export function bytesOf(text: string): Uint8Array {
  return encoder.encode(text)
}

/** The text of one event in this form; with `bom`, only the first event of a stream has one. */
export function eventText({ event, data }: Frame, form: Form, isFirst: boolean): string {
  const end = form === 'crlf' ? '\r\n' : form === 'cr' ? '\r' : '\n'
  const colon = form === 'no space' ? ':' : ': '
  const lines = [
    ...(form === 'comments' ? [': a comment', ':'] : []),
    ...(form === 'other fields' ? [`id${colon}7`, `retry${colon}3000`, `x-other${colon}field`, 'bare'] : []),
    ...(event === undefined ? [] : [`event${colon}${event}`]),
    ...dataLines(data, form).map((line) => `data${colon}${line}`),
  ]
  return `${form === 'bom' && isFirst ? '\uFEFF' : ''}${lines.join(end)}${end}${end}`
}

function dataLines(data: string, form: Form): string[] {
  return form === 'multi-line data' && data.startsWith('{')
    ? JSON.stringify(JSON.parse(data), null, 1).split('\n')
    : [data]
}

/** Cuts the bytes into pieces. `events` needs the borders of the events, so here it gives one piece. */
export function cutBytes(bytes: Uint8Array, chunks: Chunking): Uint8Array[] {
  const size = sizesOf(chunks, bytes.length)
  const parts: Uint8Array[] = []
  for (let at = 0; at < bytes.length; ) {
    const next = at + size()
    parts.push(bytes.subarray(at, next))
    at = next
  }
  return parts
}

/** Returns the size of the next piece. */
function sizesOf(chunks: Chunking, whole: number): () => number {
  if (chunks === 'bytes') return () => 1
  if (typeof chunks === 'string') return () => whole
  if ('size' in chunks) return () => chunks.size
  return randomSizes(chunks.random)
}

/** From 1 to 40, most of them small; the same for the same seed. */
function randomSizes(seed: number): () => number {
  let state = seed | 0 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return 1 + ((state >>> 0) % ((state >>> 8) % 4 === 0 ? 40 : 6))
  }
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, each) => sum + each.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
