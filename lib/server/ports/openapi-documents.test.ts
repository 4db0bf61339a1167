import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { JsonObject } from '#lib/spec/json'
import { nothingSaid } from '../environment/environment-outbound'
import { type House, openHouse } from '../house.fixture'
import { type Api, openApi } from './http.fixture'

let api: Api
let house: House
let document: JsonObject = {}
beforeEach(async () => {
  api = await openApi((_request, response) => void response.end(JSON.stringify(document)))
  document = documentOf({ get: { operationId: 'getPet' }, post: { operationId: 'addPet' } })
  house = openHouse({ outbound: { ...nothingSaid, allowHosts: [api.host] } })
})
afterEach(() => Promise.all([house.end(), api.close()]))

function documentOf(path: JsonObject): JsonObject {
  return { openapi: '3.0.0', info: { title: 'Pets', version: '1' }, paths: { '/pets': path } }
}

const forever = new AbortController().signal
const documents = () => house.app.openapiDocuments
const add = (more: { text?: string; url?: string }) => documents().add({ name: 'pets', ...more }, forever)

describe('the OpenAPI documents of a server', { timeout: 30_000 }, () => {
  test('come as text or from an address, and are there after a restart', async () => {
    expect(documents().list()).toEqual({ items: [] })
    const added = await add({ url: `${api.url}/openapi.json` })
    expect(added).toMatchObject({ changes: null, document: { title: 'Pets', operations: 2, unusable: 0 } })
    await house.leave()
    house = openHouse({ folder: house.folder })
    expect(documents().get('pets')).toMatchObject({
      url: `${api.url}/openapi.json`,
      list: [{ name: 'getPet', method: 'GET', path: '/pets' }, { name: 'addPet' }],
    })
    const { items } = documents().resolve('pets', ['addPet', 'none'])
    expect(items.map(({ name, method }) => [name, method])).toEqual([['addPet', 'POST']])
  })

  test('say how they differ when they are read again, and a drawing that uses them warns', async () => {
    await add({ url: api.url })
    const { hash, items } = documents().resolve('pets', ['getPet', 'addPet'])
    const config = {
      name: 'keeper',
      tools: [
        // cast: operations are plain data
        {
          use: 'openapi',
          name: 'pets',
          baseUrl: api.url,
          document: { name: 'pets', hash },
          operations: items as unknown as JsonObject[],
        },
      ],
    }
    const { graph } = house.app.decompile(config)
    const codes = () => house.app.compile(graph).diagnostics.map(({ code }) => code)
    expect(codes()).not.toContain('operations_changed')
    document = documentOf({
      get: { operationId: 'getPet', summary: 'Other words' },
      put: { operationId: 'putPet' },
    })
    expect((await add({ url: api.url })).changes).toEqual({
      added: ['putPet'],
      changed: ['getPet'],
      removed: ['addPet'],
    })
    expect(codes()).toContain('operations_changed')
    house.app.agents.importFile(config, { rename: false })
    expect(documents().list().items[0]?.usedBy).toMatchObject([{ name: 'keeper' }])
    documents().remove('pets')
    expect(documents().list()).toEqual({ items: [] })
    expect(codes()).not.toContain('operations_changed')
  })

  test.each([
    ['unprocessable', { text: '{"swagger":"2.0"}' }, 'Swagger 2.0'],
    ['unprocessable', { url: 'http://127.0.0.1:1/openapi.json' }, 'not open'],
    ['unprocessable', { url: 'file:///etc/passwd' }, 'Only http and https'],
    ['too_large', { text: 'x'.repeat(10 * 1024 * 1024 + 1) }, '10 MB'],
  ])('refuse with %s what cannot be read: %#', async (code, given, why) => {
    await expect(add(given)).rejects.toMatchObject({ code, message: expect.stringContaining(why) })
  })

  test('T22 are not fetched from a private address that nobody allowed', async () => {
    const canary = await openApi((_request, response) => void response.end('{}'))
    await expect(add({ url: canary.url })).rejects.toMatchObject({ code: 'unprocessable' })
    expect(canary.received).toEqual([])
    await canary.close()
  })

  test('an unknown name is not found', () => {
    expect(() => documents().get('none')).toThrow('There is no OpenAPI document')
    expect(() => documents().remove('none')).toThrow('There is no OpenAPI document')
  })
})

describe('one tool of an entry, tried by hand', () => {
  test('sends its request, and refuses an entry with errors at its place', async () => {
    const entry = { use: 'http', name: 'call', url: `${api.url}/x` }
    const tried = await house.app.tryEntry({ entry, args: {}, signal: forever })
    expect(tried).toMatchObject({ name: 'call', status: 'ok', metadata: { status: 200 } })
    const wrong = { ...entry, url: `${api.url}/{none}` }
    await expect(house.app.tryEntry({ entry: wrong, args: {}, signal: forever })).rejects.toMatchObject({
      code: 'invalid_config',
      detail: { path: 'url' },
    })
  })
})
