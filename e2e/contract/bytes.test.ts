/**
 * Checks the canonical bytes of configs, their hashes and their drawings against the record: the same input
 * always gives the same text.
 */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { factsIn, type Json, readFact, recordsMissing, writeFact } from './facts'
import { ask, exchange } from './http'
import { openProduct, type Product, type Server } from './start'

interface Fact {
  /** The input as written, in any formatting. */
  readonly given: Readonly<Record<string, Json>>
  readonly found?: Found
}

interface Found {
  /** The canonical text, line by line, and the SHA-256 of its bytes. */
  readonly text: readonly string[]
  readonly sha256: string
  /** The SHA-256 of the canonical bytes without `canvas`. */
  readonly configHash: string
  readonly graph: Json
  readonly origins: Json
}

let product: Product
let server: Server
beforeAll(async () => {
  product = await openProduct()
  server = await product.serve()
})
afterAll(async () => {
  await product?.end()
})

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const canonical = (config: Json) => `${JSON.stringify(config, null, 2)}\n`

async function found(given: Fact['given']): Promise<Found> {
  const { items } = await ask<{ items: { id: string; name: string }[] }>(server.url, 'GET', '/api/agents')
  const taken = items.find(({ name }) => name === given.name)
  if (taken !== undefined) await ask(server.url, 'DELETE', `/api/agents/${taken.id}`)
  const agent = await ask<{ id: string; graph: Json; origins: Json }>(
    server.url,
    'POST',
    '/api/agents/import',
    given,
  )
  const { text } = await exchange(server.url, { method: 'GET', path: `/api/agents/${agent.id}/export` })
  const { configHash } = await ask<{ configHash: string }>(
    server.url,
    'POST',
    `/api/agents/${agent.id}/versions`,
    {},
  )
  const { graph, origins } = agent
  return { text: text.split('\n'), sha256: sha256(text), configHash, graph, origins }
}

test.each(factsIn('bytes'))('%s has the recorded text, hashes and drawing', async (file) => {
  const { given } = readFact<Fact>(`bytes/${file}`)
  const now = await found(given)
  if (recordsMissing && readFact<Fact>(`bytes/${file}`).found === undefined)
    writeFact(`bytes/${file}`, { given, found: now })
  expect(now).toEqual(readFact<Fact>(`bytes/${file}`).found)
})

test.each(factsIn('bytes'))('%s is the same after a drawing of it is compiled', async (file) => {
  const known = readFact<Fact>(`bytes/${file}`).found
  const text = known?.text.join('\n') ?? ''
  const { canvas: _, ...rest } = JSON.parse(text)
  expect(sha256(text), 'the hash of all bytes').toBe(known?.sha256)
  expect(sha256(canonical(rest)), 'the hash without canvas').toBe(known?.configHash)
  const { graph } = await ask<{ graph: Json }>(server.url, 'POST', '/api/decompile', {
    config: JSON.parse(text),
  })
  expect(graph).toEqual(known?.graph)
  const { config } = await ask<{ config: Json }>(server.url, 'POST', '/api/compile', { graph })
  expect(canonical(config)).toBe(text)
})
