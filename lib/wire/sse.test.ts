import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SseEvent } from '#lib/spec/sse'
import { decodeEvents, encodeEvent, heartbeat, retryHint } from './sse'

/** The bytes as a stream, cut into pieces at `cuts`. */
function streamOf(bytes: Uint8Array, cuts: readonly number[]): ReadableStream<Uint8Array> {
  const edges = [...new Set([0, ...cuts, bytes.length])]
    .filter((at) => at <= bytes.length)
    .sort((a, b) => a - b)
  return new ReadableStream({
    start(controller) {
      for (let index = 1; index < edges.length; index += 1)
        controller.enqueue(bytes.slice(edges[index - 1], edges[index]))
      controller.close()
    },
  })
}

async function decode(text: string, cuts: readonly number[] = []): Promise<SseEvent[]> {
  const events: SseEvent[] = []
  for await (const event of decodeEvents(streamOf(new TextEncoder().encode(text), cuts))) events.push(event)
  return events
}

const word = fc.string({ minLength: 1, unit: fc.constantFrom(...'abc:. é€😀') }).map((text) => `x${text}`)
const sent = fc.record({
  id: word,
  event: word,
  data: fc.oneof(
    fc.json(),
    fc.string({ unit: 'grapheme' }).map((text) => text.replace(/\r\n?/g, '\n')),
  ),
})

describe('server-sent events', () => {
  test('what is encoded is decoded, whatever the pieces', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(sent, { maxLength: 5 }), fc.array(fc.nat(400)), async (events, cuts) => {
        const text = retryHint + events.map(encodeEvent).join(heartbeat)
        expect(await decode(text, cuts)).toEqual(events)
      }),
    )
  })

  test('L14 every single cut, between line ends and inside a sign too', async () => {
    const events: SseEvent[] = [
      { id: 'run_1:1', event: 'text.delta', data: '{"text":"größer 😀"}' },
      { id: 'run_1:2', event: 'run.finished', data: 'two\nlines' },
    ]
    const text = retryHint + events.map(encodeEvent).join(heartbeat)
    for (const ends of [text, text.replaceAll('\n', '\r\n')]) {
      const length = new TextEncoder().encode(ends).length
      for (let at = 0; at <= length; at += 1) expect(await decode(ends, [at])).toEqual(events)
    }
  })

  test('an event stands on the wire as the API says', () => {
    expect(encodeEvent({ id: 'run_1:7', event: 'step.started', data: '{"a":1}' })).toBe(
      'id: run_1:7\nevent: step.started\ndata: {"a":1}\n\n',
    )
  })

  test.each(['a\nb', 'a\rb', 'a\r\ndata: x', 'a\0'])('%j is no id and no event name', (text) => {
    expect(() => encodeEvent({ id: text, data: '' })).toThrow()
    expect(() => encodeEvent({ event: text, data: '' })).toThrow()
  })

  test('an event without its end is not told', async () => {
    expect(await decode('data: whole\n\ndata: half')).toEqual([{ data: 'whole' }])
  })

  test('comments come as a beat and nothing else', async () => {
    let beats = 0
    const bytes = new TextEncoder().encode(heartbeat)
    for await (const _ of decodeEvents(streamOf(bytes, []), { onBeat: () => beats++ }))
      throw new Error('told')
    expect(beats).toBe(1)
  })

  test('who stops reading closes the stream', async () => {
    let cancelled = false
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('data: x\n\n')),
      cancel: () => {
        cancelled = true
      },
    })
    for await (const _ of decodeEvents(body)) break
    expect(cancelled).toBe(true)
  })
})
