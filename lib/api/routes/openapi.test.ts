import fs from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Handlers } from '#lib/api/handlers'
import { routes } from '#lib/api/routes'
import { ask, type House, openHouse } from '#lib/server/house.fixture'
import { catalogView } from '#lib/wire/catalog'

const route = '/api/openapi.json'

let house: House
beforeEach(() => {
  house = openHouse()
})
afterEach(() => house.end())

interface Described {
  readonly operationId: string
  readonly summary: string
  readonly parameters?: readonly { name: string; in: string; schema: unknown }[]
  readonly requestBody?: unknown
  readonly responses: Readonly<Record<string, { $ref?: string; description?: string }>>
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> }
}
const read = async (): Promise<Document> => (await ask(route)).json()

function at(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

/** Every value under a key, at any depth. */
function under(value: unknown, key: string): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) => [
    ...(name === key ? [each] : []),
    ...under(each, key),
  ])
}

const allowed = async (answer: Promise<Response>) =>
  ((await answer).headers.get('allow') ?? '').toLowerCase().split(', ').sort()

const root = resolve(import.meta.dirname, '../../../app/api')
/** Routes with a file of their own, which Next matches before the catch-all route. */
const files = fs
  .readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => basename(file) === 'route.ts' && !file.startsWith('[...'))

/** `agents/[id]/route.ts` → `/api/agents/{id}`. */
const pathOf = (file: string) =>
  `/api/${dirname(file).split(sep).join('/')}`.replace(/\[(\.\.\.)?(\w+)\]/g, '{$1$2}')

describe('the description of the API', () => {
  test.each([...new Set(routes.map((row) => row.path))])(
    'names %s with each of its methods, and no other',
    async (path) => {
      const described = (await read()).paths[path.replace('...', '')] ?? {}
      expect(Object.keys(described).sort()).toEqual(await allowed(ask(path, { method: 'OPTIONS' })))
    },
  )

  test.each(files)('names %s with each of its methods, and no other', async (file) => {
    const module: Handlers = await import(join(root, file))
    const path = pathOf(file)
    const address = `http://127.0.0.1:3000${path.replace(/\{.*?\}/g, 'x')}`
    const request = new Request(address, { method: 'OPTIONS', headers: { host: '127.0.0.1:3000' } })
    const described = (await read()).paths[path] ?? {}
    expect(Object.keys(described).sort()).toEqual(await allowed(module.OPTIONS(request)))
  })

  test('describes nothing that is not there', async () => {
    const paths = new Set(routes.map((row) => row.path.replace('...', '')))
    expect(Object.keys((await read()).paths).sort()).toEqual([...paths].sort())
    expect(files.map(pathOf).filter((path) => !paths.has(path))).toEqual([])
  })

  test('refers only to what it holds, and holds only what is referred to', async () => {
    const document = await read()
    const refs = new Set(under(document, '$ref').map(String))
    for (const each of refs) {
      const found = each.replace(/^#\//, '').split('/').reduce<unknown>(at, document)
      expect([each, typeof found]).toEqual([each, 'object'])
    }
    const held = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`)
    expect(held.filter((each) => !refs.has(each))).toEqual([])
    expect([...under(document, '$defs'), ...under(document, '$schema'), ...under(document, '$id')]).toEqual(
      [],
    )
  })

  test('has the structure of OpenAPI 3.1', async () => {
    const document = await read()
    expect(document).toMatchObject({ openapi: '3.1.1', info: { title: 'Loopwright', version: '0.0.0-test' } })
    const operations = Object.entries(document.paths).flatMap(([path, verbs]) =>
      Object.entries(verbs).map(([verb, operation]) => ({ path, verb, operation })),
    )
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { path, verb, operation } of operations) {
      expect(operation.summary).toMatch(/^[A-Z].*\.$/)
      const { parameters = [], responses } = operation
      const named = parameters.filter((each) => each.in === 'path').map(({ name }) => `{${name}}`)
      expect(named).toEqual(path.match(/\{\w+\}/g) ?? [])
      for (const each of parameters) expect(each).toMatchObject({ name: /./, schema: expect.any(Object) })
      const statuses = Object.keys(responses)
      expect(statuses).toContain('default')
      expect(statuses.every((each) => /^(20[0124]|default)$/.test(each))).toBe(true)
      if (verb === 'get') expect(operation.requestBody).toBeUndefined()
      for (const answer of Object.values(responses))
        expect(typeof (answer.$ref ?? answer.description)).toBe('string')
    }
  })

  test('tells how events are streamed and read again', async () => {
    const { get } = (await read()).paths['/api/runs/{id}/events'] ?? {}
    expect(get?.responses).toMatchObject({
      200: {
        content: {
          'text/event-stream': { schema: { contentSchema: { $ref: '#/components/schemas/RunEvent' } } },
          'application/json': { schema: { $ref: '#/components/schemas/EventList' } },
        },
      },
      204: { description: /./ },
    })
    expect(get?.parameters?.map(({ name }) => name)).toEqual(['id', 'after', 'Last-Event-ID'])
  })

  test('asks for a token where the door does', async () => {
    await house.end()
    house = openHouse({ token: 'a-token-of-many-letters' })
    for (const { method, path, ...row } of routes) {
      const verdict = house.app.guard({
        method,
        target: path.replace(/[{}]/g, ''),
        header: (name) => (name === 'host' ? ['127.0.0.1:3000'] : []),
      })
      const isOpen = 'open' in row && row.open === true
      expect([method, path, verdict.ok]).toEqual([method, path, isOpen])
    }
  })

  test('the catalog is as it is described', () => {
    expect(catalogView.safeParse(house.app.catalog).error).toBeUndefined()
  })
})
