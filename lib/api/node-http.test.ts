import { createServer, type IncomingMessage, type Server, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDoor } from '#lib/server/door/door'
import { type House, openHouse } from '#lib/server/house.fixture'
import { decodeEvents } from '#lib/wire/sse'
import { answerApi } from './node-http'

let house: House
let server: Server
let url = ''

beforeEach(async () => {
  house = openHouse()
  const door = createDoor({
    guard: house.app.guard,
    dev: false,
    api: answerApi,
    pass: async (_, response) => void response.end('a page'),
    upgrade: (_, socket) => void socket.destroy(),
  })
  server = createServer((request, response) => door.enter(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // cast: a server on a TCP port has such an address
})
afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await house.end()
})

function agentWith(turns: object[], paceMs = 0): string {
  const model = { provider: 'scripted', name: 'script', turns, paceMs }
  return house.app.agents.create({ config: { name: 'speaker', model } as never }).id // cast: read as a request's JSON would be
}

/** The answer as it comes over the connection, not decompressed. */
async function raw(path: string, { method = 'GET', headers = {} } = {}) {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    send(`${url}${path}`, { method, headers }, resolve).on('error', reject).end()
  })
  return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) }
}

test('a run is begun and its events are streamed to their end, as the API promises', async () => {
  const id = agentWith([{ text: 'Hello there.' }])
  const answer = await fetch(`${url}/api/agents/${id}/runs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: '{"input":"Hi"}',
  })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(answer.headers.get('content-security-policy')).toBe(
    "sandbox; default-src 'none'; frame-ancestors 'none'",
  )
  const seen = []
  if (answer.body !== null) for await (const event of decodeEvents(answer.body)) seen.push(event)
  expect(seen[0]?.event).toBe('run.queued')
  expect(seen.at(-1)?.event).toBe('run.finished')
  expect(seen.map((each) => each.id)).toEqual(seen.map((_, at) => `${seen[0]?.id?.split(':')[0]}:${at + 1}`))
})

test('a long answer is compressed for those who accept that, and a short one is not', async () => {
  const packed = await raw('/api/openapi.json', { headers: { 'accept-encoding': 'br, gzip' } })
  expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
  const plain = await raw('/api/openapi.json')
  expect(plain.headers).not.toHaveProperty('content-encoding')
  expect(plain.headers['content-length']).toBe(String(plain.body.length))
  expect(gunzipSync(packed.body).equals(plain.body)).toBe(true)
  expect(packed.body.length).toBeLessThan(plain.body.length / 4)
  const short = await raw('/api/health', { headers: { 'accept-encoding': 'gzip' } })
  expect(short.headers).not.toHaveProperty('content-encoding')
})

test('an answer that is written in parts arrives whole', async () => {
  const id = agentWith([{ text: `${'word '.repeat(20_000)}end` }])
  const begun = await fetch(`${url}/api/agents/${id}/runs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: '{"input":"Hi"}',
  })
  await begun.text()
  const [run] = house.app.runs.list({ limit: 1 }).items
  for (const headers of [{}, { 'accept-encoding': 'gzip' }]) {
    const { body, headers: told } = await raw(`/api/runs/${run?.id}/events`, {
      headers: { accept: 'application/json', ...headers },
    })
    const text = told['content-encoding'] === 'gzip' ? gunzipSync(body) : body
    expect(JSON.parse(text.toString()).items.at(-1).answer).toMatch(/end$/)
  }
})

test('HEAD gets the headers alone, and a slash at the end leads to the address without it', async () => {
  const head = await raw('/api/agents', { method: 'HEAD' })
  expect([head.status, head.body.length, head.headers['content-type']]).toEqual([200, 0, 'application/json'])
  const moved = await raw('/api/agents/?limit=1')
  expect([moved.status, moved.headers.location]).toEqual([308, '/api/agents?limit=1'])
  const refused = await raw('/api/agents', { method: 'OPTIONS' })
  expect([refused.status, refused.headers.allow]).toEqual([405, 'GET, POST'])
  expect((await raw('/api/no-such-route')).status).toBe(404)
  expect((await raw('/agents')).body.toString()).toBe('a page')
})

test('an upload is read from the connection, and JSON that is wrong is refused', async () => {
  const threadId = house.app.threads.create({ agentId: agentWith([{ text: 'Yes.' }]) }).id
  const put = (type: string, body: string) =>
    fetch(`${url}/api/threads/${threadId}/files?name=a.txt`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    })
  expect((await put('application/octet-stream', 'x'.repeat(200_000))).status).toBe(201)
  const wrong = await fetch(`${url}/api/agents`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"broken',
  })
  expect([wrong.status, (await wrong.json()).error.code]).toEqual([400, 'invalid_json'])
})

test('a reader that leaves gives its seat back', async () => {
  const id = agentWith([{ text: 'word '.repeat(500) }], 20)
  const begun = await fetch(`${url}/api/agents/${id}/runs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"input":"Hi"}',
  })
  const { id: runId } = await begun.json()
  const leave = new AbortController()
  for (let n = 0; n < 8; n++) {
    const { body } = await fetch(`${url}/api/runs/${runId}/events`, {
      headers: { accept: 'text/event-stream' },
      signal: leave.signal,
    })
    await body?.getReader().read()
  }
  expect(house.app.streams.take(runId)).toBeUndefined()
  leave.abort()
  await expect.poll(() => house.app.streams.take(runId)).toBeDefined()
  house.app.runs.cancel(runId)
})
