import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { RunEvent } from '#lib/spec/event'
import { encodeEvent, heartbeat, retryHint } from '#lib/wire/sse'
import { type ApiError, api, type Connection, watchRun } from './client'

const runId = 'run_1'
const total = 40
const usage = { input: 0, output: 0 }

/** A run of many deltas, then its end. */
const events: RunEvent[] = Array.from({ length: total }, (_, index): RunEvent => {
  const base = { seq: index + 1, at: index, step: 1 }
  if (index < total - 1) return { type: 'text.delta', ...base, text: `größer ${index} 😀` }
  return {
    type: 'run.finished',
    ...base,
    status: 'completed',
    answer: '',
    usage,
    costUsd: null,
    steps: 1,
    toolCalls: [],
    startedAt: 0,
    finishedAt: 1,
    error: null,
  }
})

let server: Server
let answer: (request: IncomingMessage, response: ServerResponse) => void
const asked: (string | undefined)[] = []

beforeEach(async () => {
  asked.length = 0
  server = createServer((request, response) => {
    asked.push(request.headers['last-event-id']?.toString())
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // cast: a server on a TCP port has such an address
  const real = globalThis.fetch
  // In a page, addresses are relative to it.
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) => real(`http://127.0.0.1:${port}${path}`, init))
})
afterEach(() => {
  vi.unstubAllGlobals()

  server.closeAllConnections()
  server.close()
})

const bytesAfter = (seq: number) =>
  Buffer.from(
    retryHint +
      events
        .slice(seq)
        .map((event) =>
          encodeEvent({ id: `${runId}:${event.seq}`, event: event.type, data: JSON.stringify(event) }),
        )
        .join(heartbeat),
  )

async function watched(after = 0) {
  const seen: number[] = []
  const states: Connection[] = []
  let failure: ApiError | undefined
  await watchRun(runId, {
    after,
    signal: new AbortController().signal,
    onEvent: (event) => seen.push(event.seq),
    onState: (state, error) => {
      states.push(state)
      failure = error ?? failure
    },
  })
  return { seen, states, failure }
}

test('F6 a connection cut anywhere goes on where it was: no gap, no duplicate', async () => {
  let cut = 61
  answer = ({ headers }, response) => {
    const seq = Number(headers['last-event-id']?.toString().split(':')[1] ?? 0)
    const bytes = bytesAfter(seq)
    cut += 977
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (cut >= bytes.length) return response.end(bytes)
    response.write(bytes.subarray(0, cut), () => response.destroy())
  }
  const { seen, states } = await watched()
  expect(seen).toEqual(events.map((event) => event.seq))
  expect(asked.length).toBeGreaterThan(2)
  expect(states.at(-1)).toBe('ended')
  expect(states).toContain('reconnecting')
})

test('a stream that ends without the run’s end is opened again', async () => {
  answer = (_, response) => response.writeHead(200).end(asked.length === 1 ? retryHint : bytesAfter(0))
  expect((await watched()).seen).toHaveLength(total)
  expect(asked).toHaveLength(2)
})

test('what is known is not asked for again', async () => {
  answer = (_, response) => response.writeHead(200).end(bytesAfter(30))
  expect((await watched(30)).seen).toEqual(events.slice(30).map((event) => event.seq))
  expect(asked).toEqual([`${runId}:30`])
})

test('a run that is over and known to its end is just over', async () => {
  answer = (_, response) => response.writeHead(204).end()
  expect(await watched(total)).toMatchObject({ seen: [], states: ['ended'] })
})

test('a refusal ends the watching with its reason, a server that is away does not', async () => {
  answer = (_, response) => {
    if (asked.length === 1) return response.writeHead(503).end()
    // Too many streams at once is over in a moment.
    if (asked.length === 2) return response.writeHead(429).end()
    response.writeHead(404, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { code: 'not_found', message: 'There is no such run.' } }))
  }
  const { states, failure } = await watched()
  expect(states).toEqual(['reconnecting', 'reconnecting', 'failed'])
  expect(failure).toMatchObject({ code: 'not_found', status: 404, message: 'There is no such run.' })
})

test('aborting stops it, in the middle of a stream too', async () => {
  answer = (_, response) => void response.writeHead(200).write(bytesAfter(0).subarray(0, 600))
  const leave = new AbortController()
  const seen: number[] = []
  const states: Connection[] = []
  await watchRun(runId, {
    signal: leave.signal,
    onEvent: (event) => {
      seen.push(event.seq)
      leave.abort()
    },
    onState: (state) => states.push(state),
  })
  expect(seen.length).toBeGreaterThan(0)
  expect(states).toEqual(['live'])
})

test('a fault in the listener is its own, not the connection’s', async () => {
  answer = (_, response) => response.writeHead(200).end(bytesAfter(0))
  const watching = watchRun(runId, {
    signal: new AbortController().signal,
    onEvent: () => {
      throw new Error('planted')
    },
  })
  await expect(watching).rejects.toThrow('planted')
})

test('failures of the API come with code, message, status, path and detail', async () => {
  const error = { code: 'name_taken', message: 'Taken.', path: 'name', detail: { free: 'a-2' } }
  answer = (_, response) =>
    response.writeHead(409, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
  await expect(api.agents.create({ config: { name: 'a' } })).rejects.toMatchObject({ ...error, status: 409 })
  answer = (_, response) => response.writeHead(502).end('<html>')
  await expect(api.agents.list()).rejects.toMatchObject({ code: 'internal', status: 502 })
  answer = (_, response) => response.destroy()
  await expect(api.agents.list()).rejects.toMatchObject({ code: 'network', status: 0 })
})
