import { linkSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { routes } from '#lib/api/routes'
import { ask, type House, openHouse } from '#lib/server/house.fixture'
import { Database } from '#lib/sqlite/driver'
import { compiled, decompiled } from '#lib/wire/compile'
import { databaseList } from '#lib/wire/databases'
import { health } from '#lib/wire/health'
import { settingsView } from '#lib/wire/settings'
import { triedTool } from '#lib/wire/tools'

const rest = '/api/no-such-route'
const catalogRoute = '/api/catalog'
const compileRoute = '/api/compile'
const database = '/api/databases/{name}'
const databases = '/api/databases'
const decompileRoute = '/api/decompile'
const healthRoute = '/api/health'
const settings = '/api/settings'
const tryRoute = '/api/tools/{name}/try'

let house: House | undefined
const open = (...given: Parameters<typeof openHouse>) => {
  house = openHouse(...given)
  return house
}
afterEach(async () => {
  await house?.end()
  house = undefined
})

const codeOf = async (response: Response) => [response.status, (await response.json()).error?.code]
const post = (route: string, body: unknown, params: Record<string, string> = {}) =>
  ask(route, { method: 'POST', body, params })

describe('what the API tells', () => {
  test('health and catalog and settings', async () => {
    const { app, folder } = open()
    expect(health.parse(await (await ask(healthRoute)).json())).toEqual({
      status: 'ok',
      version: '0.0.0-test',
    })
    expect(await (await ask(catalogRoute)).json()).toEqual(JSON.parse(JSON.stringify(app.catalog)))
    const { server } = settingsView.parse(await (await ask(settings)).json())
    expect(server).toEqual({
      version: '0.0.0-test',
      dataFolder: folder,
      url: 'http://127.0.0.1:3000',
      token: false,
      sandbox: expect.stringMatching(/^(os|process)$/),
    })
  })

  test('what is no route is told as JSON', async () => {
    open()
    expect(await codeOf(await ask(rest))).toEqual([404, 'not_found'])
    expect(await codeOf(await post(rest, {}))).toEqual([404, 'not_found'])
  })

  test('a drawing and a config are turned into each other without being stored', async () => {
    const { app } = open()
    const config = {
      name: 'x',
      tools: [{ use: 'builtin', tools: ['sql.*'], preset: { 'sql.execute': { database: 'nowhere' } } }],
    }
    const drawn = decompiled.parse(await (await post(decompileRoute, { config })).json())
    const back = compiled.parse(await (await post(compileRoute, { graph: drawn.graph })).json())
    expect(back.config).toMatchObject(config)
    const lacking = back.diagnostics.find((each) => each.code === 'database_missing')
    expect(lacking).toMatchObject({ severity: 'warning', node: back.origins['tools/0'] })
    expect(await codeOf(await post(decompileRoute, { config: { name: 'X Y' } }))).toEqual([
      400,
      'invalid_config',
    ])
    expect(await codeOf(await post(compileRoute, { graph: [] }))).toEqual([400, 'bad_request'])
    expect(app.agents.list().items).toEqual([])
  })

  test('the examples are there on the first start, and a deleted one stays deleted', async () => {
    const { app } = open({ examples: 'examples' })
    const files = readdirSync('examples').filter((file) => file.endsWith('.json'))
    const { items } = app.agents.list()
    expect(items.map((each) => `${each.name}.json`)).toEqual(files.sort())
    expect(items.every((each) => each.runnable)).toBe(true)
  })
})

test('F13 a disk that takes no writes is told as such, to come again', async () => {
  const { app } = open()
  const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
  Object.assign(globalThis, {
    [Symbol.for('loopwright')]: Object.defineProperty({ ...app }, 'catalog', {
      get: () => {
        throw full
      },
    }),
  })
  const response = await ask(catalogRoute)
  expect(response.headers.get('retry-after')).toBe('2')
  expect(await codeOf(response)).toEqual([503, 'unavailable'])
})

test('a bug is told without its stack, and to the log whole', async () => {
  const { app } = open()
  const planted = new Error('planted at secret-place')
  const catalog = () => {
    throw planted
  }
  Object.assign(globalThis, {
    [Symbol.for('loopwright')]: Object.defineProperty({ ...app }, 'catalog', { get: catalog }),
  })
  const spoken = console.error
  const said: unknown[] = []
  console.error = (...words: unknown[]) => said.push(...words)
  const response = await ask(catalogRoute)
  console.error = spoken
  expect(response.status).toBe(500)
  const text = await response.text()
  expect(JSON.parse(text).error.code).toBe('internal')
  expect(text).not.toMatch(/secret-place|\.ts/)
  expect(said).toEqual([planted])
})

describe('trying a tool', () => {
  test('it is run, and what it says comes back', async () => {
    open()
    const response = await post(tryRoute, { args: { expression: '6*7' } }, { name: 'math.calculate' })
    expect(triedTool.parse(await response.json())).toMatchObject({ status: 'ok', code: null })
  })

  test('its own refusal is a result, a bad request is not', async () => {
    open()
    const refused = await post(tryRoute, { args: { expression: '6*' } }, { name: 'math.calculate' })
    expect(triedTool.parse(await refused.json())).toMatchObject({
      status: 'error',
      result: { blocks: [{ type: 'text' }] },
    })
    expect(
      await codeOf(await post(tryRoute, { args: { expression: 7 } }, { name: 'math.calculate' })),
    ).toEqual([400, 'bad_request'])
    expect(await codeOf(await post(tryRoute, { args: {}, name: 'x' }, { name: 'math.calculate' }))).toEqual([
      400,
      'bad_request',
    ])
    for (const name of ['nothing', 'constructor', '__proto__', 'toString']) {
      expect(await codeOf(await post(tryRoute, { args: {} }, { name }))).toEqual([404, 'not_found'])
    }
  })
})

describe('trying a tool with arguments that do not fit', () => {
  test.each([
    [{}, 'expression', 'Expression is missing. Fill it in.'],
    [{ expression: 7 }, 'expression', 'Expression must be text.'],
    [{ expression: '1', colour: 2 }, 'colour', '“colour” is not a setting here. Remove it.'],
  ])('%j is told in plain words, with its place', async (args, at, message) => {
    open()
    const response = await post(tryRoute, { args }, { name: 'math.calculate' })
    expect(response.status).toBe(400)
    expect((await response.json()).error).toMatchObject({
      code: 'bad_request',
      message: `The arguments do not fit math.calculate: ${message}`,
      path: `args/${at}`,
      detail: { problems: [{ path: at, message }] },
    })
  })

  test('the schema of every tool can be checked so', async () => {
    const { app } = open()
    for (const { name } of app.catalog.tools) {
      const response = await post(tryRoute, { args: { 'no such argument': 1 } }, { name })
      expect([name, ...(await codeOf(response))]).toEqual([name, 400, 'bad_request'])
    }
  })
})

describe('databases', () => {
  test('a file is registered, read by tools, forgotten', async () => {
    const { folder } = open()
    const file = path.join(folder, 'mine.sqlite')
    const client = new Database(file)
    client.exec('create table t (x); insert into t values (7)')
    client.close()
    const registered = await ask(databases, { method: 'PUT', body: { name: 'mine', path: file } })
    expect([registered.status, await registered.json()]).toEqual([
      200,
      { name: 'mine', path: file, sample: false },
    ])
    const { items } = databaseList.parse(await (await ask(databases)).json())
    expect(items.map((each) => each.name)).toEqual(['retail', 'mine'])
    const asked = await post(
      tryRoute,
      { args: { database: 'mine', sql: 'select x from t' } },
      { name: 'sql.execute' },
    )
    expect(JSON.stringify(triedTool.parse(await asked.json()).result)).toContain('7')
    const gone = () => ask(database, { method: 'DELETE', params: { name: 'mine' } })
    expect((await gone()).status).toBe(204)
    expect(await codeOf(await gone())).toEqual([404, 'not_found'])
  })

  test('what is no database, or our own, is refused with the reason', async () => {
    const { folder } = open()
    writeFileSync(path.join(folder, 'notes.txt'), 'these are notes')
    symlinkSync(path.join(folder, 'loopwright.db'), path.join(folder, 'symbolic.db'))
    symlinkSync(folder, path.join(folder, 'round'))
    linkSync(path.join(folder, 'loopwright.db'), path.join(folder, 'hard.db'))
    linkSync(path.join(folder, 'loopwright.db-wal'), path.join(folder, 'log.db'))
    const put = async (body: unknown) => codeOf(await ask(databases, { method: 'PUT', body }))
    for (const file of [
      'relative.db',
      folder,
      path.join(folder, 'nothing.db'),
      path.join(folder, 'notes.txt'),
      path.join(folder, 'loopwright.db'),
      path.join(folder, 'x/../loopwright.db'),
      path.join(folder, 'symbolic.db'),
      path.join(folder, 'round/loopwright.db'),
      path.join(folder, 'hard.db'),
      path.join(folder, 'log.db'),
    ]) {
      expect([file, ...(await put({ name: 'mine', path: file }))]).toEqual([file, 422, 'unprocessable'])
    }
    expect(await put({ name: 'retail', path: '/x.db' })).toEqual([409, 'name_taken'])
    expect(await put({ name: 'No Name', path: '/x.db' })).toEqual([400, 'bad_request'])
    expect(await put({ name: '__proto__', path: '/x.db' })).toEqual([400, 'bad_request'])
    expect(await codeOf(await ask(database, { method: 'DELETE', params: { name: 'retail' } }))).toEqual([
      409,
      'conflict',
    ])
  })
})

describe('the token, asked for again by every route', () => {
  const token = 'correct-horse-battery-staple'

  test('T12 a route called past the door still asks', async () => {
    open({ token })
    expect(await codeOf(await ask(settings))).toEqual([401, 'unauthorized'])
    expect((await ask(settings, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200)
    expect((await ask(healthRoute)).status).toBe(200)
    expect(
      await codeOf(await ask(settings, { headers: { authorization: `Bearer ${token}`, host: 'evil.test' } })),
    ).toEqual([403, 'forbidden_host'])
  })

  const openPaths = new Set<string>([
    '/api/health',
    '/api/session',
    // For authorization servers, and for browsers that come back from one.
    '/api/mcp-sign-in',
    '/api/mcp-sign-in/client',
  ])

  test('T11 every route and every method asks, but for health and signing in', async () => {
    open({ token })
    const paths = new Set([...routes.map((row) => row.path), rest])
    expect(paths.size).toBeGreaterThan(20)
    for (const at of paths) {
      const isOpen = openPaths.has(at)
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        for (const authorization of ['', 'Bearer x', token]) {
          const { status } = await ask(at, { method, headers: { authorization } })
          if (isOpen) expect([200, 400, 404, 405]).toContain(status)
          else expect([at, method, status]).toEqual([at, method, 401])
        }
      }
    }
  })

  test('T20 signing in gives a cookie no script can read; after ten misses only who knows the token goes on', async () => {
    const { app } = open({ token })
    const signIn = (offered: string) => app.sessions.open(offered)
    const cookie = signIn(token)
    expect(cookie).toMatch(/^loopwright=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/)
    expect(cookie).not.toContain(token)
    expect((await ask(settings, { headers: { cookie: cookie.split(';', 1)[0] ?? '' } })).status).toBe(200)
    for (let miss = 0; miss < 10; miss += 1) expect(() => signIn('wrong')).toThrow(/not the token/)
    expect(() => signIn('wrong')).toThrow(/Wait a minute/)
    expect(signIn(token)).toBe(cookie)
  })
})
