/**
 * Checks the exact bytes sent to model services, for every protocol and provider, and how a run shows them
 * again.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPlaceholders, factsIn, type Json, readFact, recordsMissing, writeFact } from './facts'
import { ask, settled } from './http'
import { openProduct, type Product, type Server } from './start'
import { type Played, type Received, startWireServer, type WireServer } from './wire-server'

interface Wire {
  readonly config: Json
  /** Asked one after another in one thread. */
  readonly questions: readonly string[]
  readonly exchanges: readonly { readonly answer: Played; readonly request?: Received }[]
  /** The answers of `GET /api/runs/:id/requests/:step`, run by run and step by step. */
  readonly shown?: Json
  /** How each run ended. */
  readonly ends?: Json
}

let product: Product
let server: Server
let models: WireServer
beforeAll(async () => {
  product = await openProduct()
  models = await startWireServer()
  server = await product.serve()
  const address = `http://127.0.0.1:${models.port}`
  await ask(server.url, 'PUT', '/api/providers/openai', {
    baseUrl: `${address}/v1`,
    key: 'sk-contract-openai',
  })
  await ask(server.url, 'PUT', '/api/providers/anthropic', { baseUrl: address, key: 'sk-contract-anthropic' })
  await ask(server.url, 'PUT', '/api/providers/local', { baseUrl: `${address}/v1`, key: 'contract-local' })
})
afterAll(async () => {
  await product?.end()
  await models?.close()
})

interface Run {
  readonly status: string
  readonly finishedAt: number
  readonly seq: number
  readonly steps: number
  readonly answer: string
  readonly output: Json
  readonly usage: Json
  readonly toolCalls: Json
  readonly error: Json
}

async function played({ config, questions, exchanges }: Wire) {
  const received = models.play(exchanges.map(({ answer }) => answer))
  const agent = await ask<{ id: string }>(server.url, 'POST', '/api/agents', { config })
  const [shown, ends]: [Json[][], Json[]] = [[], []]
  let threadId: string | undefined
  for (const input of questions) {
    const body = { input, ...(threadId !== undefined && { threadId }) }
    const run = await ask<{ id: string; threadId: string }>(
      server.url,
      'POST',
      `/api/agents/${agent.id}/runs`,
      body,
    )
    threadId = run.threadId
    const { status, answer, output, usage, steps, toolCalls, error } = await settled<Run>(server.url, run.id)
    ends.push({ status, answer, output, usage, steps, toolCalls, error })
    const numbers = Array.from({ length: steps }, (_, index) => index + 1)
    shown.push(
      await Promise.all(
        numbers.map((step) => ask<Json>(server.url, 'GET', `/api/runs/${run.id}/requests/${step}`)),
      ),
    )
  }
  // Only ids of artifacts differ between runs of this test.
  const place = createPlaceholders({})
  const bodies = received.map(({ body, ...rest }) => ({ ...rest, body: place(body) }))
  return { received: bodies, ends, shown: JSON.parse(place(JSON.stringify(shown))) as Json } // cast: it was JSON before
}

test.each(factsIn('wires'))('the requests of %s reach the service byte for byte', async (file) => {
  const wire = readFact<Wire>(`wires/${file}`)
  const { received, ends, shown } = await played(wire)
  if (recordsMissing && wire.shown === undefined) {
    const exchanges = wire.exchanges.map(({ answer }, index) => ({ request: received[index], answer }))
    writeFact(`wires/${file}`, { ...wire, exchanges, ends, shown })
  }
  const recorded = readFact<Wire>(`wires/${file}`)
  expect(ends, 'how the runs ended').toEqual(recorded.ends)
  // Compared as values first, since a difference of values shows its place.
  const requests = recorded.exchanges.map(({ request }) => request)
  expect(received.map(asValue), 'the requests as values').toEqual(requests.map(asValue))
  expect(received, 'the requests as bytes').toEqual(requests)
  expect(shown, 'the requests as the API shows them').toEqual(recorded.shown)
})

function asValue(request: Received | undefined) {
  return { ...request, body: JSON.parse(request?.body ?? 'null') }
}
