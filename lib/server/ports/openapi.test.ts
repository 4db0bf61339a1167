import { afterEach, describe, expect, test } from 'vitest'
import { readDocument } from '#lib/openapi/read'
import type { JsonObject } from '#lib/spec/json'
import type { ApiOperation } from '#lib/spec/openapi'
import { closedPorts } from '#lib/spec/ports.fixture'
import { openapi } from '#lib/toolkits/openapi'
import { type Api, callEntry, openApi } from './http.fixture'

let api: Api
afterEach(() => api?.close())

const paths: JsonObject = {
  '/pets/{id}': {
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
    get: {
      operationId: 'getPet',
      parameters: [
        { name: 'fields', in: 'query', schema: { type: 'array' } },
        { name: 'tags', in: 'query', explode: false, schema: { type: 'array' } },
        { name: 'filter', in: 'query', style: 'deepObject', schema: { type: 'object' } },
        { name: 'where', in: 'query', content: { 'application/json': { schema: {} } } },
        { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
        { name: 'visit', in: 'cookie', schema: { type: 'string' } },
      ],
      security: [{ site: [] }, { key: [], login: [] }],
    },
    put: {
      operationId: 'putPet',
      requestBody: { content: { 'application/merge-patch+json': { schema: { type: 'object' } } } },
      security: [{ token: [] }],
    },
    post: {
      operationId: 'ratePet',
      requestBody: { content: { 'application/x-www-form-urlencoded': { schema: { type: 'object' } } } },
    },
  },
}

const text = JSON.stringify({ openapi: '3.0.0', info: {}, paths })

function operations(): ApiOperation[] {
  const read = readDocument(text)
  if (!read.ok) throw new Error(read.error)
  return read.value.operations.map(
    ({ summary: _s, tags: _t, isDeprecated: _d, problem: _p, ...operation }) => operation,
  )
}

function entry(more: JsonObject = {}) {
  // cast: an operation is plain data
  const list = operations() as unknown as JsonObject[]
  return { use: 'openapi', name: 'pets', baseUrl: `${api.url}/v1/`, operations: list, ...more }
}

const around = () => ({
  allow: [api.host],
  secrets: {
    KEY: { value: 'key-value', origins: [api.url] },
    PASSWORD: { value: 'pass-value', origins: [api.url] },
    TOKEN: { value: 'token-value', origins: [api.url] },
  },
})
const start = async () => {
  api = await openApi((_request, response) => void response.end('{}'))
}

describe('the tools of an openapi entry', () => {
  test('put each argument where the document says', async () => {
    await start()
    const args = {
      ...{ id: 'a b', fields: ['x', 'y'], tags: ['1', '2'], filter: { age: 3 }, where: { all: [true] } },
      ...{ 'X-Trace': 't', visit: 'v;1' },
    }
    expect(await callEntry(entry(), args, { ...around(), tool: 'pets.getPet' })).toMatchObject({ ok: true })
    const [seen] = api.received
    const url = new URL(seen?.path ?? '', api.url)
    expect(url.pathname).toBe('/v1/pets/a%20b')
    expect([...url.searchParams]).toEqual([
      ['fields', 'x'],
      ['fields', 'y'],
      ['tags', '1,2'],
      ['filter[age]', '3'],
      ['where', '{"all":[true]}'],
    ])
    expect(seen?.headers).toMatchObject({ 'x-trace': 't', cookie: 'visit=v%3B1' })
  })

  test('are signed in the first way that all secrets were chosen for', async () => {
    await start()
    const auth = {
      key: { type: 'apiKey', in: 'query', name: 'api_key', secret: 'KEY' },
      login: { type: 'basic', user: 'ann', secret: 'PASSWORD' },
      token: { type: 'bearer', secret: 'TOKEN' },
    }
    await callEntry(entry({ auth }), { id: '1' }, { ...around(), tool: 'pets.getPet' })
    await callEntry(entry({ auth }), { id: '1', body: { a: 1 } }, { ...around(), tool: 'pets.putPet' })
    const [first, second] = api.received
    expect(first?.path).toBe('/v1/pets/1?api_key=key-value')
    expect(first?.headers.authorization).toBe(`Basic ${btoa('ann:pass-value')}`)
    expect(second).toMatchObject({
      method: 'PUT',
      body: '{"a":1}',
      headers: { authorization: 'Bearer token-value', 'content-type': 'application/merge-patch+json' },
    })
  })

  test('send a form as a form, and no key where none was chosen', async () => {
    await start()
    await callEntry(
      entry(),
      { id: '1', body: { stars: 5, why: 'a&b' } },
      { ...around(), tool: 'pets.ratePet' },
    )
    expect(api.received[0]).toMatchObject({ method: 'POST', body: 'stars=5&why=a%26b' })
    expect(api.received[0]?.headers.authorization).toBeUndefined()
  })

  test('refuse an argument that would leave the path of the operation', async () => {
    await start()
    const output = await callEntry(entry(), { id: '../../admin' }, { ...around(), tool: 'pets.getPet' })
    expect(output).toMatchObject({ ok: false, code: 'bad_argument' })
    expect(api.received).toEqual([])
  })

  test('have the class of their method', async () => {
    await start()
    const read = openapi.settings.parse(entry())
    const tools = await openapi.open(read, { tools: [] })
    expect(tools.map(({ name, risk, effect }) => [name, risk, effect])).toEqual([
      ['pets.getPet', 'read', 'read'],
      ['pets.putPet', 'write', 'idempotent'],
      ['pets.ratePet', 'write', 'effect'],
    ])
  })

  test('are off where the document has changed since a person looked at them, and back when it is as before', async () => {
    await start()
    const read = openapi.settings.parse(entry({ document: { name: 'pets', hash: 'sha256:x' } }))
    const hashes = new Map(read.operations.map(({ name, hash }) => [name, hash]))
    const now = (map: ReadonlyMap<string, string> | undefined) =>
      openapi.now?.(read, { ...closedPorts, openapi: { hashes: () => map } })
    expect(await now(undefined)).toBeUndefined()
    expect(await now(hashes)).toBeUndefined()
    const changed = new Map([...hashes, ['getPet', 'sha256:other']])
    changed.delete('ratePet')
    const listing = await now(changed)
    expect(listing?.tools.map(({ name }) => name)).toEqual(['pets.putPet'])
    expect(listing?.withheld).toEqual([
      { name: 'pets.getPet', reason: 'it has changed in the document since a person looked at it' },
      { name: 'pets.ratePet', reason: 'the document no longer has it' },
    ])
    expect((await now(changed))?.tools).toBe(listing?.tools)
    expect(await now(hashes)).toBeUndefined()
  })

  test('warn where a request has to be signed and nothing is chosen for it', async () => {
    await start()
    const faults = (more: JsonObject) => openapi.check?.(openapi.settings.parse(entry(more)))
    expect(faults({})).toMatchObject([
      {
        code: 'auth_missing',
        path: 'operations/0/security',
        message: expect.stringContaining('site, or key and login'),
      },
      { code: 'auth_missing', path: 'operations/1/security' },
    ])
    expect(faults({ headers: { Authorization: { secret: 'TOKEN' } } })).toEqual([])
  })

  test('are at most 100 operations of 256 KiB', async () => {
    await start()
    const [first] = entry().operations
    const many = Array.from({ length: 101 }, (_, index) => ({ ...first, name: `o${index}` }))
    const heavy = many
      .slice(0, 60)
      .map((each) => ({ ...each, description: 'x'.repeat(4_096), path: `/${'y'.repeat(1_000)}` }))
    expect(openapi.settings.safeParse(entry({ operations: many })).success).toBe(false)
    expect(openapi.settings.safeParse(entry({ operations: many.slice(0, 100) })).success).toBe(true)
    expect(openapi.settings.safeParse(entry({ operations: heavy })).error?.message).toContain('256 KiB')
  })
})
