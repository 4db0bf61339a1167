import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { routes } from '#lib/api/routes'
import { ask, type House, openHouse } from '#lib/server/house.fixture'
import { type ModelList, openModelList } from '#lib/server/providers/model-list.fixture'
import { modelList, providerList, providerTest, providerView } from '#lib/wire/providers'
import { secretList, secretView } from '#lib/wire/secrets'
import { settingsView } from '#lib/wire/settings'

const runs = '/api/agents/{id}/runs'
const agents = '/api/agents'
const compile = '/api/compile'
const models = '/api/models'
const provider = '/api/providers/{name}'
const tryProvider = '/api/providers/{name}/test'
const providers = '/api/providers'
const secret = '/api/secrets/{name}'
const secrets = '/api/secrets'
const settings = '/api/settings'

const planted = {
  environment: 'SEC-of-the-environment-a1b2c3d4',
  endpoint: 'SEC-of-an-endpoint-e5f6a7b8',
  service: 'SEC-of-openai-c9d0e1f2',
  header: 'SEC-for-a-header-"quoted"-a3b4',
}
const shown = (text: string) =>
  Object.values(planted).filter(
    (each) => text.includes(each) || text.includes(JSON.stringify(each).slice(1, -1)),
  )

let house: House
let list: ModelList
beforeEach(async () => {
  list = await openModelList()
  const anthropic = { key: planted.environment, baseUrl: list.origin }
  house = openHouse({ outbound: { providers: { anthropic }, allowHosts: [] } })
})
afterEach(async () => {
  await house.end()
  await list.close()
})

const put = (route: string, name: string, body: unknown) =>
  ask(route, { method: 'PUT', params: { name }, body })
const post = (route: string, params: Record<string, string>, body: unknown = {}) =>
  ask(route, { method: 'POST', params, body })
const codeOf = async (response: Response) => [response.status, (await response.json()).error?.code]

describe('providers and secrets', () => {
  test('are set, tried, listed and forgotten', async () => {
    expect(providerList.parse(await (await ask(providers)).json()).items).toHaveLength(2)
    const saved = await put(provider, 'mine', { baseUrl: `${list.origin}/v1`, key: planted.endpoint })
    expect(providerView.parse(await saved.json())).toMatchObject({ name: 'mine', ready: true })
    const tried = await post(tryProvider, { name: 'mine' })
    expect(providerTest.parse(await tried.json())).toMatchObject({ ok: true, models: ['large', 'small'] })
    expect(modelList.parse(await (await ask(models)).json()).items).toContainEqual({
      provider: 'openai-compatible',
      endpoint: 'mine',
      name: 'large',
    })
    expect(secretList.parse(await (await ask(secrets)).json()).items).toMatchObject([
      { name: 'MINE_API_KEY', usedBy: ['mine'], origins: [list.origin] },
    ])
    const origins = ['https://api.example.com']
    const kept = await put(secret, 'WEATHER_KEY', { value: planted.header, origins })
    expect(secretView.parse(await kept.json())).toMatchObject({ hint: 'a3b4', origins, usedBy: [] })
    expect(await codeOf(await put(secret, 'weather', { value: 'x' }))).toEqual([400, 'bad_request'])
    expect(await codeOf(await put(secret, 'NEW_KEY', { origins }))).toEqual([400, 'bad_request'])
    const gone = (route: string, name: string) => ask(route, { method: 'DELETE', params: { name } })
    expect((await gone(secret, 'WEATHER_KEY')).status).toBe(204)
    expect(await codeOf(await gone(secret, 'WEATHER_KEY'))).toEqual([404, 'not_found'])
    expect((await gone(provider, 'mine')).status).toBe(204)
    expect(secretList.parse(await (await ask(secrets)).json()).items).toEqual([])
    expect(await codeOf(await put(provider, 'mine', { baseUrl: 'nowhere' }))).toEqual([400, 'bad_request'])
    expect(await codeOf(await put(provider, 'anthropic', { key: 'x' }))).toEqual([409, 'conflict'])
  })

  test.each(['baseUrl', 'apiKey', 'headers', 'url'])(
    'T44 no config can say by %s where a key goes: it is not taken, and nothing is asked',
    async (key) => {
      await put(provider, 'openai', { baseUrl: `${list.origin}/v1`, key: planted.service })
      const model = { provider: 'openai', name: 'm', [key]: 'http://127.0.0.1:9999/v1' }
      expect(await codeOf(await post(agents, {}, { config: { name: 'a', model } }))).toEqual([
        400,
        'invalid_config',
      ])
      expect(list.asked).toEqual([])
    },
  )

  test('prices are kept, and given up', async () => {
    const save = (body: unknown) => ask(settings, { method: 'PUT', body })
    const rows = [{ model: 'm*', input: 1, output: 2 }]
    expect(settingsView.parse(await (await save({ prices: rows })).json()).prices).toMatchObject({
      rows,
      edited: true,
    })
    expect(settingsView.parse(await (await save({})).json()).prices.edited).toBe(true)
    expect(settingsView.parse(await (await save({ prices: null })).json()).prices.edited).toBe(false)
    expect(await codeOf(await save({ prices: [{ model: 'm', input: -1, output: 0 }] }))).toEqual([
      400,
      'bad_request',
    ])
  })

  test('what a drawing names and the server lacks is a warning on its node', async () => {
    const model = { provider: 'openai-compatible', endpoint: 'ollama', name: 'qwen3' }
    const config = { name: 'a', model, policies: [{ use: 'budget', usd: 1 }] }
    const { graph } = await (await post(agents, {}, { config })).json()
    const warnings = async () => {
      const { diagnostics } = await (await post(compile, {}, { graph })).json()
      return diagnostics.map(({ code, path: at, node }: Record<string, string>) => [code, at, node])
    }
    const nodeOf = (kind: string) => graph.nodes.find((node: { kind: string }) => node.kind === kind)?.id
    const price = ['price_unknown', 'policies/0/usd', nodeOf('policy:budget')]
    expect(await warnings()).toEqual([['endpoint_missing', 'model/endpoint', nodeOf('model')], price])
    await put(provider, 'ollama', { baseUrl: `${list.origin}/v1` })
    expect(await warnings()).toEqual([price])
    await ask(settings, {
      method: 'PUT',
      body: { prices: [{ provider: 'ollama', model: '*', input: 0, output: 0 }] },
    })
    expect(await warnings()).toEqual([])
  })
})

describe('T42 no secret is told', () => {
  test('by any route, event, error, log or file, while every one of them is in use', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const said: string[] = []
    const keep = async (answer: Promise<Response>) => {
      const text = await (await answer).text()
      said.push(text)
      return text
    }
    await keep(put(provider, 'mine', { baseUrl: `${list.origin}/v1`, key: planted.endpoint }))
    await keep(put(provider, 'openai', { baseUrl: `${list.origin}/v1`, key: planted.service }))
    await keep(put(secret, 'HEADER_KEY', { value: planted.header, origins: [list.origin] }))
    await keep(put(secret, 'HEADER_KEY', { value: planted.header, origins: ['nowhere'] }))
    await keep(put(provider, 'mine', { key: `${planted.endpoint} ü` }))
    await keep(put(provider, 'mine', { key: { value: planted.endpoint } }))

    // A server that echoes everything it was sent.
    const echo = JSON.stringify({ error: { message: `Incorrect: ${Object.values(planted).join(' ')}` } })
    list.answer = { status: 401, body: echo }
    for (const name of ['mine', 'openai', 'anthropic']) await keep(post(tryProvider, { name }))

    const model = { provider: 'openai-compatible', endpoint: 'mine', name: 'm', timeoutSeconds: 5 }
    const agent = JSON.parse(await keep(post(agents, {}, { config: { name: 'a', model } })))
    const run = JSON.parse(await keep(post(runs, { id: agent.id }, { input: 'Hello' })))
    const ends: string[] = []
    for await (const frame of house.app.runs.watch(run.id, 0, new AbortController().signal))
      if (frame !== 'beat') ends.push(frame.json)
    expect(ends.at(-1)).toContain('model_auth')
    said.push(...ends)

    const used = list.asked.map(({ headers }) => JSON.stringify(headers)).join()
    for (const each of [planted.environment, planted.endpoint, planted.service]) expect(used).toContain(each)
    const paths = new Set(routes.map((row) => row.path))
    for (const at of paths) {
      const id = at.includes('/runs/') ? run.id : at.includes('/threads/') ? run.threadId : agent.id
      await keep(ask(at, { params: { id, name: 'mine', version: '1', step: '1', path: 'x' } }))
    }
    expect(paths.size).toBeGreaterThan(20)
    for (const text of said) expect(shown(text), text.slice(0, 300)).toEqual([])
    expect(shown(JSON.stringify(logged.mock.calls))).toEqual([])
    expect(house.redact(echo)).not.toContain('SEC-')
    logged.mockRestore()

    await house.leave()
    for (const entry of fs.readdirSync(house.folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const bytes = fs.readFileSync(path.join(entry.parentPath, entry.name))
      expect(Object.values(planted).filter((each) => bytes.includes(each))).toEqual([])
    }
    house = openHouse({ folder: house.folder })
    expect(providerList.parse(await (await ask(providers)).json()).items.at(-1)).toMatchObject({
      name: 'mine',
      ready: true,
    })
  })
})
