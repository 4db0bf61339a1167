import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openStores } from '#db/open'
import { temporaryFolder } from '#db/rows.fixture'
import { providers as parts } from '#lib/models'
import type { Stores } from '#lib/spec/store'
import { providerList, providerTest, providerView } from '#lib/wire/providers'
import type { Outbound } from '../environment/environment-outbound'
import { createOutbound } from '../environment/outbound'
import { createVault, type Vault } from '../secrets/secrets'
import { type ModelList, openModelList } from './model-list.fixture'
import { createProviders, type Providers } from './providers'

const key = 'sk-test-0123456789abcdef'
const never = new AbortController().signal

let place: ReturnType<typeof temporaryFolder>
let stores: Stores
let vault: Vault
let now = 0
let models: ModelList
let canary: ModelList
const outbound = createOutbound()

function open(environment: Outbound['providers'] = {}): Providers {
  const clock = { now: () => now, monotonic: () => now }
  return createProviders({
    parts,
    environment,
    settings: stores.settings,
    vault,
    clock,
    fetch: outbound.fetch,
    sleep: async () => {},
    redact: (text) => text,
    priceOf: () => undefined,
  })
}

beforeEach(async () => {
  now = 1_000
  place = temporaryFolder()
  stores = openStores(path.join(place.folder, 'loopwright.db'))
  vault = createVault({ store: stores.secrets, folder: place.folder, clock: { now: () => now } })
  models = await openModelList()
  canary = await openModelList()
})
afterEach(async () => {
  stores.close()
  place.remove()
  await models.close()
  await canary.close()
})

describe('providers', () => {
  test('two are always there, and say what they lack', () => {
    const { items } = providerList.parse(open().list())
    expect(items.map(({ name, kind, ready, baseUrlFrom }) => [name, kind, ready, baseUrlFrom])).toEqual([
      ['openai', 'openai', false, 'default'],
      ['anthropic', 'anthropic', false, 'default'],
    ])
    expect(items[0]).toMatchObject({ baseUrl: 'https://api.openai.com/v1', key: null, test: null })
    expect(items[0]?.problem).toContain('OPENAI_API_KEY')
  })

  test('T42 a key is sealed as a secret of the provider’s name and origin, and never shown', () => {
    const at = open()
    const view = providerView.parse(at.save('openai', { key: ` ${key} ` }))
    expect(view).toMatchObject({
      ready: true,
      key: { from: 'settings', hint: 'cdef', secret: 'OPENAI_API_KEY', allowed: true },
    })
    expect(JSON.stringify(at.list())).not.toContain(key)
    expect(vault.get('OPENAI_API_KEY')?.origins).toEqual(['https://api.openai.com'])
    expect(at.endpoint('openai')).toEqual({ name: 'openai', baseUrl: 'https://api.openai.com/v1', key })
    expect(at.using('OPENAI_API_KEY')).toEqual(['openai'])
    expect(at.save('openai', { key: '' })).toMatchObject({ ready: false, key: null })
    expect(vault.list()).toEqual([])
  })

  test('an endpoint is worked out once, until something is saved', () => {
    const at = open()
    at.save('openai', { key })
    const kept = at.endpoint('openai')
    expect(at.endpoint('openai')).toBe(kept)
    vault.save({ name: 'OPENAI_API_KEY', value: `${key}2` })
    expect(at.endpoint('openai')?.key).toBe(`${key}2`)
    at.save('openai', { idleSeconds: 5 })
    expect(at.endpoint('openai')?.waits).toBeDefined()
    vault.remove('OPENAI_API_KEY')
    expect(at.endpoint('openai')?.key).toBeUndefined()
  })

  test('T44 a key goes nowhere else when the address changes, until it is entered again', async () => {
    const at = open()
    at.save('openai', { baseUrl: `${models.origin}/v1`, key })
    expect(await at.test('openai', {}, never)).toMatchObject({ ok: true, models: ['large', 'small'] })
    expect(models.asked.at(-1)?.headers.authorization).toBe(`Bearer ${key}`)

    const moved = at.save('openai', { baseUrl: `${canary.origin}/v1` })
    expect(moved).toMatchObject({ ready: false, key: { allowed: false }, test: null })
    expect(moved.problem).toContain('Enter it again')
    expect(at.endpoint('openai')).toEqual({ name: 'openai', baseUrl: `${canary.origin}/v1` })
    expect(await at.test('openai', {}, never)).toMatchObject({ ok: false, message: moved.problem })
    expect(await at.models()).toEqual({ items: [] })
    at.save('openai', { baseUrl: `${models.origin}/v1` })
    const unsaved = await at.test('openai', { baseUrl: `${canary.origin}/v1` }, never)
    expect(unsaved.message).toContain('Enter it again')
    expect(canary.asked).toEqual([])

    at.save('openai', { baseUrl: `${canary.origin}/v1`, key })
    expect(await at.test('openai', {}, never)).toMatchObject({ ok: true })
    expect(canary.asked).toHaveLength(1)
  })

  test('an address that can not be asked is refused before it is kept', () => {
    const at = open()
    expect(() => at.save('mine', { baseUrl: 'http://127.0.0.1:9/v1' })).toThrow(
      'No request is sent to port 9',
    )
    expect(at.list().items).toHaveLength(2)
  })

  test('T44 no redirect carries a key elsewhere', async () => {
    const at = open()
    at.save('mine', { baseUrl: `${models.origin}/v1`, key })
    models.answer = { status: 307, body: '', headers: { location: `${canary.origin}/v1/models` } }
    const tried = await at.test('mine', {}, never)
    expect(tried.ok).toBe(false)
    expect(tried.message).toContain('address')
    expect(canary.asked).toEqual([])
  })

  test('the environment wins, and its key goes to its own address alone', () => {
    const at = open({ openai: { key }, anthropic: { baseUrl: `${models.origin}` } })
    expect(at.list().items).toMatchObject([
      { name: 'openai', key: { from: 'environment', secret: null, allowed: true }, ready: true },
      { name: 'anthropic', baseUrl: models.origin, baseUrlFrom: 'environment', ready: true },
    ])
    expect(() => at.save('openai', { key: 'sk-another-key' })).toThrow('OPENAI_API_KEY')
    expect(() => at.save('anthropic', { baseUrl: canary.origin })).toThrow('ANTHROPIC_BASE_URL')
    expect(at.save('anthropic', { baseUrl: models.origin }).baseUrlFrom).toBe('environment')
    const moved = at.save('openai', { baseUrl: canary.origin })
    expect(moved).toMatchObject({ ready: false, key: { allowed: false } })
    expect(moved.problem).toContain('OPENAI_BASE_URL')
    expect(at.endpoint('openai')).not.toHaveProperty('key')
    vault.save({ name: 'OPENAI_API_KEY', value: 'sk-of-settings', origins: ['https://api.openai.com'] })
    at.save('openai', { baseUrl: '' })
    expect(at.endpoint('openai')?.key).toBe(key)
    expect(at.using('OPENAI_API_KEY')).toEqual([])
  })

  test('the operator says whether an endpoint takes requests for caching', () => {
    const at = open()
    expect(at.save('ollama', { baseUrl: `${models.origin}/v1` })).not.toHaveProperty('promptCache')
    expect(at.endpoint('ollama')).not.toHaveProperty('promptCache')
    expect(at.save('ollama', { promptCache: true })).toMatchObject({ promptCache: true })
    expect(at.endpoint('ollama')?.promptCache).toBe(true)
    // What a save does not name stays.
    expect(at.save('ollama', { idleSeconds: 60 })).toMatchObject({ promptCache: true })
    expect(at.save('ollama', { promptCache: false })).not.toHaveProperty('promptCache')
    expect(at.endpoint('ollama')).not.toHaveProperty('promptCache')
  })

  test('an endpoint is added, changed and forgotten with its key', async () => {
    const at = open()
    const view = at.save('ollama', { baseUrl: `${models.origin}/v1/`, idleSeconds: 600 })
    expect(view).toMatchObject({
      kind: 'openai-compatible',
      label: 'ollama',
      baseUrl: `${models.origin}/v1`,
      baseUrlFrom: 'settings',
      ready: true,
      idleSeconds: 600,
    })
    const waits = { headersMs: 600_000, firstContentMs: 600_000, betweenMs: 600_000 }
    expect(at.endpoint('ollama')).toEqual({ name: 'ollama', baseUrl: `${models.origin}/v1`, waits })
    at.save('ollama', { key, idleSeconds: null })
    expect(at.endpoint('ollama')).toEqual({ name: 'ollama', baseUrl: `${models.origin}/v1`, key })
    expect(await at.models()).toEqual({
      items: [
        { provider: 'openai-compatible', endpoint: 'ollama', name: 'large' },
        { provider: 'openai-compatible', endpoint: 'ollama', name: 'small' },
      ],
    })
    at.remove('ollama')
    expect(at.endpoint('ollama')).toBeUndefined()
    expect(vault.list()).toEqual([])
    expect(() => at.remove('ollama')).toThrow('no provider')
  })

  test('names and addresses that can not be are refused, and then nothing is kept', () => {
    const at = open()
    at.save('my-box', {})
    for (const name of ['Upper', 'a b', '__proto__', '../x', 'x'.repeat(60), ''])
      expect(() => at.save(name, {})).toThrow('The name may contain only')
    for (const name of ['scripted', 'openai-compatible', 'my_box'])
      expect(() => at.save(name, {})).toThrow('another name')
    for (const baseUrl of [
      'localhost:11434',
      'ftp://x',
      'http://u:p@x',
      'http://x?y',
      'http://x/#y',
      'file:///etc',
    ])
      expect(() => at.save('other', { baseUrl, key })).toThrow()
    expect(() => at.save('other', { baseUrl: models.origin, key: 'two words' })).toThrow('without spaces')
    expect(() => at.save('other', { key })).toThrow('address')
    expect(at.list().items.map(({ name }) => name)).toEqual(['openai', 'anthropic', 'my-box'])
    expect(vault.list()).toEqual([])
    expect(at.list().items.at(-1)).toMatchObject({ baseUrl: null, ready: false })
    expect(at.save('constructor', { baseUrl: models.origin }).ready).toBe(true)
  })

  test('an endpoint takes no secret for its key that was entered for another address', () => {
    const at = open()
    vault.save({ name: 'WEATHER_API_KEY', value: key, origins: ['https://api.example.com'] })
    expect(() => at.save('weather', { baseUrl: models.origin })).toThrow('WEATHER_API_KEY')
    expect(() => at.save('weather', { baseUrl: models.origin, key: 'another' })).toThrow('WEATHER_API_KEY')
    expect(() => at.save('weather', {})).toThrow('WEATHER_API_KEY')
    expect(vault.get('WEATHER_API_KEY')?.origins).toEqual(['https://api.example.com'])
    expect(at.save('weather', { baseUrl: 'https://api.example.com/v1' }).ready).toBe(true)
  })

  test('a test says what is wrong and what to do, and holds no key', async () => {
    const at = open()
    at.save('mine', { baseUrl: models.origin, key })
    const told = async () => providerTest.parse(await at.test('mine', {}, never))
    models.answer = { status: 401, body: JSON.stringify({ error: { message: `Incorrect API key: ${key}` } }) }
    const refused = await told()
    expect(refused).toMatchObject({ ok: false, models: [] })
    expect(refused.message).toMatch(/refused the key/)
    expect(refused.message).not.toContain(key)
    models.answer = { status: 404, body: '404 page not found' }
    expect((await told()).message).toContain(`Try ${models.origin}/v1.`)
    models.answer = { status: 200, body: '<html>Welcome</html>' }
    expect((await told()).ok).toBe(false)
    models.answer = { status: 200, body: '{"object":"list","data":[]}' }
    expect(await told()).toMatchObject({ ok: true, models: [] })
    expect(at.list().items.at(-1)?.test).toMatchObject({ ok: true })

    const { origin } = models
    await models.close()
    expect((await told()).message).toContain('Nothing answers')
    const closed = await at.test('new-one', { baseUrl: `${origin}/v1` }, never)
    expect(closed.message).toContain(new URL(origin).host)
    expect(at.endpoint('new-one')).toBeUndefined()
    await expect(at.test('unknown', {}, never)).rejects.toThrow('no provider')
    models = await openModelList()
  })

  test('models are asked for at most once in five minutes, failures too, and by all screens together', async () => {
    const at = open()
    at.save('mine', { baseUrl: `${models.origin}/v1` })
    expect(models.asked).toHaveLength(0)
    const [first, second] = await Promise.all([at.models(), at.models()])
    expect(first).toEqual(second)
    await at.models()
    expect(models.asked).toHaveLength(1)
    models.answer = { status: 500, body: '{}' }
    now += 5 * 60_000
    expect(await at.models()).toEqual({ items: [] })
    await at.models()
    expect(models.asked).toHaveLength(2)
    at.save('mine', { baseUrl: `${canary.origin}/v1` })
    expect((await at.models()).items).toHaveLength(2)
  })

  test('a test of an address saved over meanwhile takes nothing from the test of the new one', async () => {
    const at = open()
    at.save('mine', { baseUrl: `${models.origin}/v1` })
    models.answer = { status: 0, body: '' }
    const late = at.test('mine', {}, never)
    at.save('mine', { baseUrl: `${canary.origin}/v1` })
    await at.test('mine', {}, never)
    await models.close()
    expect(await late).toMatchObject({ ok: false })
    expect(at.list().items.find(({ name }) => name === 'mine')).toMatchObject({ test: { ok: true } })
  })

  test('what a model lacks is told with its place', () => {
    const at = open()
    const lack = (provider: string, endpoint?: string) =>
      at.lackOf({ provider, name: 'm', ...(endpoint !== undefined && { endpoint }) })
    expect(lack('scripted')).toBeUndefined()
    for (const provider of ['openai', 'openai-responses'])
      expect(lack(provider)).toMatchObject({ code: 'key_missing', path: 'model/provider' })
    expect(lack('openai-compatible', 'ollama')).toMatchObject({
      code: 'endpoint_missing',
      path: 'model/endpoint',
    })
    expect(lack('openai-compatible', 'openai')).toMatchObject({ code: 'endpoint_missing' })
    at.save('ollama', {})
    expect(lack('openai-compatible', 'ollama')).toMatchObject({ code: 'endpoint_missing' })
    at.save('ollama', { baseUrl: models.origin })
    expect(lack('openai-compatible', 'ollama')).toBeUndefined()
    at.save('openai', { key })
    expect(lack('openai')).toBeUndefined()
    expect(lack('openai-responses')).toBeUndefined()
  })

  test('two that share an address and key are one provider, whose models are listed under both', async () => {
    const at = open()
    at.save('openai', { baseUrl: `${models.origin}/v1`, key })
    expect(at.list().items.map(({ name }) => name)).toEqual(['openai', 'anthropic'])
    expect((await at.models()).items).toEqual(
      ['openai', 'openai-responses'].flatMap((provider) => [
        { provider, name: 'large' },
        { provider, name: 'small' },
      ]),
    )
    expect(models.asked).toHaveLength(1)
    expect(() => at.save('openai-responses', { baseUrl: models.origin })).toThrow('another name')
  })
})
