import { getEventListeners } from 'node:events'
import { describe, expect, test } from 'vitest'
import type { Loopwright } from '#lib/server/loopwright'
import { createStreams } from '#lib/server/runs/streams'
import { encodeEvent } from '#lib/wire/sse'
import { readPosition, streamRun } from './stream'

/** An app with one run that emits events as fast as they are read. */
function talkative({ perRun = 2, total = 3 } = {}) {
  const streams = createStreams({ perRun, total })
  let given = 0
  let left = 0
  async function* watchPages(_: string, __: number, signal: AbortSignal) {
    try {
      while (!signal.aborted) yield [{ seq: ++given, type: 'text.delta', json: `{"seq":${given}}` }]
    } finally {
      left += 1
    }
  }
  const app = { streams, runs: { watchPages } } as unknown as Loopwright // cast: a stream needs no more of it
  return { app, streams, given: () => given, left: () => left }
}

const reading = (app: Loopwright, more: { runId?: string; signal?: AbortSignal; patienceMs?: number } = {}) =>
  streamRun(app, { runId: 'run_1', after: 0, signal: new AbortController().signal, ...more })

describe('a run’s events as a stream', () => {
  test('T56 a reader that takes nothing is let go, and holds no more than one event', async () => {
    const { app, streams, given } = talkative({ perRun: 1 })
    const reader = reading(app, { patienceMs: 20 }).body?.getReader()
    await reader?.read()
    await reader?.read()
    await new Promise((resolve) => setTimeout(resolve, 60))
    await expect(reader?.read().then(() => reader.read())).rejects.toThrow('takes nothing')
    expect(given()).toBeLessThan(4)
    expect(streams.take('run_1')).toBeDefined()
  })

  test('T55 seats are counted by run and in all, and given back however a reader leaves', async () => {
    const { app, streams } = talkative()
    const leave = new AbortController()
    const one = reading(app)
    reading(app, { signal: leave.signal })
    expect(() => reading(app)).toThrow('Too many streams')
    const other = reading(app, { runId: 'run_2' })
    expect(streams.hasRoom()).toBe(false)
    expect(() => reading(app, { runId: 'run_3' })).toThrow('Too many streams')
    leave.abort()
    await one.body?.cancel()
    await other.body?.cancel()
    expect([streams.take('run_1'), streams.take('run_1'), streams.take('run_2')]).not.toContain(undefined)
  })

  test('F9 when the server stops, every stream ends cleanly, and later ones at once', async () => {
    const { app, streams } = talkative()
    const reader = reading(app).body?.getReader()
    await reader?.read()
    streams.close()
    const rest = []
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) rest.push(next)
    expect(rest.length).toBeLessThan(3)
    const late = await reading(app).text()
    expect(late.match(/^id:/gm)?.length ?? 0).toBeLessThan(2)
  })

  test('S1-25 a beat is a comment, which no reader takes for an event', async () => {
    const { app } = talkative()
    async function* watchPages() {
      yield 'beat'
      yield [{ seq: 1, type: 'text.delta', json: '{"seq":1}' }]
      yield 'beat'
    }
    const quiet = { ...app, runs: { watchPages } } as unknown as Loopwright // cast: a stream needs no more of it
    const sent = await reading(quiet).text()
    expect(sent.match(/^:.*$/gm)).toHaveLength(2)
    expect(sent.match(/^data:/gm)).toHaveLength(1)
  })

  test('a reader listens to its request once, and no more once it has left', async () => {
    const { app, left } = talkative({ perRun: 30, total: 30 })
    const { signal } = new AbortController()
    const readers = Array.from({ length: 10 }, () => reading(app, { signal }))
    expect(getEventListeners(signal, 'abort')).toHaveLength(10)
    for (const { body } of readers) {
      const reader = body?.getReader()
      await reader?.read()
      await reader?.read()
      await reader?.cancel()
    }
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
    // A reader that leaves between two events also ends its watch.
    await expect.poll(left).toBe(10)
  })

  test('readers of one run are sent the same bytes of an event', async () => {
    const event = { seq: 1, type: 'text.delta', json: '{"text":"é\\n"}' }
    const same = {
      streams: createStreams(),
      runs: {
        async *watchPages() {
          yield [event]
        },
      },
    } as unknown as Loopwright // cast: as above
    const bytesOf = async () => {
      const reader = reading(same).body?.getReader()
      await reader?.read()
      return (await reader?.read())?.value
    }
    const [one, other] = [await bytesOf(), await bytesOf()]
    expect(one?.buffer).toBe(other?.buffer)
    expect(new TextDecoder().decode(one)).toBe(
      encodeEvent({ id: 'run_1:1', event: 'text.delta', data: event.json }),
    )
  })

  test('events that can be read together go out as one part, but a large one alone', async () => {
    const event = (seq: number, length: number) => ({
      seq,
      type: 'text.delta',
      json: JSON.stringify('é'.repeat(length)),
    })
    const page = [event(1, 3), event(2, 4), event(3, 50_000), event(4, 5), event(5, 15_000), event(6, 5_000)]
    const app = {
      streams: createStreams(),
      runs: {
        async *watchPages() {
          yield page
        },
      },
    } as unknown as Loopwright // cast: as above
    const parts: string[] = []
    const body = reading(app).body as unknown as AsyncIterable<Uint8Array> // cast: Node's own bodies are async iterables
    const decoder = new TextDecoder()
    for await (const bytes of body) parts.push(decoder.decode(bytes, { stream: true }))
    const starts = parts.map((part) => part.match(/(?<=^id: run_1:)\d+/gm)?.map(Number) ?? [])
    expect(starts.filter((seqs) => seqs.length > 0)).toEqual([[1, 2], [3], [4, 5], [6]])
    const each = page.map(({ seq, type, json }) =>
      encodeEvent({ id: `run_1:${seq}`, event: type, data: json }),
    )
    expect(parts.slice(1).join('')).toBe(each.join(''))
  })

  test('a large event goes out in slices, so that a slow reader is seen to take some of it', async () => {
    const large = { seq: 1, type: 'text.delta', json: JSON.stringify('x'.repeat(500_000)) }
    const app = {
      streams: createStreams(),
      runs: {
        async *watchPages() {
          yield [large]
        },
      },
    } as unknown as Loopwright // cast: as above
    const sizes: number[] = []
    const body = reading(app, { patienceMs: 300 }).body as unknown as AsyncIterable<Uint8Array> // cast: Node's own bodies are async iterables
    for await (const { length } of body) {
      sizes.push(length)
      await new Promise((resolve) => setTimeout(resolve, 60))
    }
    expect(Math.max(...sizes)).toBe(64 * 1024)
    expect(sizes.length).toBeGreaterThan(7)
  })

  test('a fault while reading gives the seat back', async () => {
    const { app, streams } = talkative({ perRun: 1 })
    const broken = {
      ...app,
      runs: {
        // biome-ignore lint/correctness/useYield: it breaks before it has anything to say
        async *watchPages() {
          throw new Error('planted')
        },
      },
    } as unknown as Loopwright // cast: as above
    await expect(reading(broken).text()).rejects.toThrow('planted')
    expect(streams.take('run_1')).toBeDefined()
  })
})

test('a position comes from the header before the query', () => {
  const at = (header: string | null, query: string | null) =>
    readPosition({ runId: 'run_1', header, query, seq: 9 })
  expect([
    at(null, null),
    at('run_1:0', null),
    at('run_1:9', '3'),
    at(null, '3'),
    at(null, 'run_1:4'),
  ]).toEqual([0, 0, 9, 3, 4])
})
