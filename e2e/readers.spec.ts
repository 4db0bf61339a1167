/**
 * Many readers of event streams at one server: none costs it listeners, memory or time, and none misses an
 * event.
 */
import { execFileSync } from 'node:child_process'
import http from 'node:http'
import net from 'node:net'
import { expect } from '@playwright/test'
import { begin, call, createAgent, expectWhole, readStream, scriptedConfig, type Turn } from './api'
import { test } from './journey'
import { type OwnServer, ownServer } from './own-server'
import { deepOnly } from './test-depth'

let server: OwnServer
test.beforeAll(async () => {
  server = await ownServer()
  await server.start()
})
test.afterAll(async () => server.dispose())

const path = (run: string) => `/api/runs/${run}/events`

/** Opens a stream over a connection of this agent, and resolves once its first event has arrived. */
function open(agent: http.Agent, run: string): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = http.get(`${server.url}${path(run)}`, { agent, headers: { accept: 'text/event-stream' } })
    request.once('error', reject).once('response', (response) => {
      expect(response.statusCode).toBe(200)
      response.on('error', () => undefined)
      response.on('data', (bytes) => String(bytes).includes('\nevent:') && resolve(response))
    })
  })
}

const ended = (response: http.IncomingMessage) =>
  response.readableEnded || new Promise((resolve) => response.once('end', resolve).resume())

test('streams opened in turn and all at once over kept-alive connections leave no listener behind', async () => {
  const short = await begin(server.url, await createAgent(server.url, scriptedConfig('short', [])), 'go')
  await readStream(server.url, short, 0)
  const one = new http.Agent({ keepAlive: true, maxSockets: 1 })
  for (let turn = 0; turn < 24; turn++) await ended(await open(one, short))

  const stalled = scriptedConfig('stalled', [{ text: 'x', fault: { stallMs: 600_000 } }])
  const agent = await createAgent(server.url, stalled)
  const runs = await Promise.all(Array.from({ length: 4 }, () => begin(server.url, agent, 'go')))
  const many = new http.Agent({ keepAlive: true })
  for (let round = 0; round < 3; round++) {
    const readers = await Promise.all(runs.flatMap((run) => Array.from({ length: 8 }, () => open(many, run))))
    for (const reader of readers) reader.destroy()
    await expect.poll(async () => (await openOnce(runs)).length).toBe(runs.length)
  }
  one.destroy()
  many.destroy()
  expect(server.errors).toBe('')
})

/** Opens one more stream of each run, which is granted only once the readers that left are gone. */
async function openOnce(runs: readonly string[]): Promise<number[]> {
  const statuses = await Promise.all(
    runs.map(async (run) => {
      const stop = new AbortController()
      const { status } = await fetch(`${server.url}${path(run)}`, { signal: stop.signal })
      stop.abort()
      return status
    }),
  )
  return statuses.filter((status) => status === 200)
}

test('a request for the headers of a stream takes no seat', async () => {
  const stalled = scriptedConfig('stalled-head', [{ text: 'x', fault: { stallMs: 600_000 } }])
  const run = await begin(server.url, await createAgent(server.url, stalled), 'go')
  for (let turn = 0; turn < 10; turn++) {
    const { status, headers } = await fetch(`${server.url}${path(run)}`, { method: 'HEAD' })
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
  }
})

const largeText = 'x'.repeat(900_000)
/** Each step writes nearly 2 MB of events. */
const largeTurns: readonly Turn[] = [
  ...Array.from({ length: 6 }, (_, index) => ({
    text: `${index} ${largeText}`,
    calls: [{ name: 'math.calculate', args: { expression: `1 + ${index}` } }],
  })),
  { text: 'Done.' },
]

const megabytes = () =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(server.pid)], { encoding: 'utf8' })) / 1024

/** A reader that requests a run's events and reads none of them. */
function stuckReader(run: string): Promise<net.Socket> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname, () => {
      socket.write(
        `GET ${path(run)} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAccept: text/event-stream\r\n\r\n`,
      )
      resolve(socket)
    })
    socket.pause().once('error', reject)
  })
}

interface Seen {
  readonly mostMegabytes: number
  readonly slowestHealthMs: number
}

/** Observes the server until `until` resolves. */
async function watchServer(until: Promise<unknown>): Promise<Seen> {
  let isOver = false
  void until.finally(() => (isOver = true))
  let mostMegabytes = 0
  let slowestHealthMs = 0
  while (!isOver) {
    const began = performance.now()
    await call(`${server.url}/api/health`)
    slowestHealthMs = Math.max(slowestHealthMs, performance.now() - began)
    mostMegabytes = Math.max(mostMegabytes, megabytes())
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return { mostMegabytes, slowestHealthMs }
}

async function hasEnded(run: string): Promise<void> {
  const status = async () => (await call<{ status: string }>(`${server.url}/api/runs/${run}`)).status
  await expect.poll(status, { timeout: 60_000 }).toBe('completed')
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Runs at the same time; each has as many stuck readers as it allows. */
const runs = 8
const seats = 8
/**
 * Each reader used to hold its own page of whole events; what remains is mostly garbage that is not collected
 * yet.
 */
const mostMegabytes = 6.25 * runs * seats

const t56 =
  'T56 many readers that take nothing of large runs cost little memory and no time, are let go, and miss nothing'
// In a quick run `lib/api/stream.test.ts` holds the rules for readers that take nothing.
test(t56, deepOnly, async () => {
  test.setTimeout(240_000)
  const tools = { tools: [{ use: 'builtin', tools: ['math.*'] }] }
  const config = scriptedConfig('large', largeTurns, tools)
  const model = { provider: 'scripted', name: 'script', turns: largeTurns, paceMs: 0 }
  const agent = await createAgent(server.url, { ...config, model })
  const beginAll = () => Promise.all(Array.from({ length: runs }, () => begin(server.url, agent, 'go')))
  const readers: net.Socket[] = []
  const stick = async (ids: readonly string[]) => {
    for (const id of ids) for (let n = 0; n < seats; n++) readers.push(await stuckReader(id))
  }

  // The cost of the runs themselves, without readers: 15 MB of events each.
  const stored = await beginAll()
  await Promise.all(stored.map(hasEnded))
  const alone = await watchServer(Promise.all((await beginAll()).map(hasEnded)))

  const ofStored = await watchServer(Promise.all([stick(stored), pause(3_000)]))
  expect(ofStored.mostMegabytes - alone.mostMegabytes).toBeLessThan(mostMegabytes)
  expect(ofStored.slowestHealthMs).toBeLessThan(1_000 + alone.slowestHealthMs)
  // The stuck readers are disconnected, so that others can connect.
  await expect.poll(async () => (await openOnce(stored)).length, { timeout: 30_000 }).toBe(stored.length)

  const live = await beginAll()
  const ofLive = await watchServer(Promise.all([stick(live), ...live.map(hasEnded)]))
  expect(ofLive.mostMegabytes - alone.mostMegabytes).toBeLessThan(mostMegabytes)

  for (const reader of readers) reader.destroy()
  await expect.poll(async () => (await openOnce(live)).length).toBe(live.length)
  const [run = ''] = live
  const first = await readStream(server.url, run, 0, (events) => events.length > 6)
  const rest = await readStream(server.url, run, first.at(-1)?.data.seq ?? 0)
  const events = [...first, ...rest]
  expectWhole(events)
  const answer = await fetch(`${server.url}${path(run)}`, { headers: { accept: 'application/json' } })
  expect((await answer.json()).items).toEqual(events.map((each) => each.data))
  expect(server.errors).toBe('')
})
