/** A model is asked in each format over real HTTP, and the best format that works is recommended. */
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openStores } from '#db/open'
import { temporaryFolder } from '#db/rows.fixture'
import type { Behaviour, Said } from '#e2e/model-server/behaviour'
import { type ModelServer, startModelServer } from '#e2e/model-server/model-server'
import type { Asked } from '#e2e/model-server/responder'
import { providers as parts } from '#lib/models'
import type { Stores } from '#lib/spec/store'
import { modelTest, type TestModel } from '#lib/wire/model-test'
import { systemClock } from '../clock'
import { createOutbound } from '../environment/outbound'
import { createVault } from '../secrets/secrets'
import { createPrices } from './prices'
import { createProviders, type Providers } from './providers'

const key = 'sk-test-0123456789abcdef'
const outbound = createOutbound()
let place: ReturnType<typeof temporaryFolder>
let stores: Stores
let server: ModelServer | undefined

beforeEach(() => {
  place = temporaryFolder()
  stores = openStores(path.join(place.folder, 'loopwright.db'))
})
afterEach(async () => {
  stores.close()
  place.remove()
  await server?.close()
  server = undefined
})

/** A server with this behaviour, available as `openai` and as the added endpoint `local`. */
async function open(behaviour: (asked: Asked) => Behaviour): Promise<Providers> {
  server = await startModelServer({ behaviour })
  const providers = createProviders({
    parts,
    environment: {},
    settings: stores.settings,
    vault: createVault({ store: stores.secrets, folder: place.folder, clock: systemClock }),
    clock: systemClock,
    fetch: outbound.fetch,
    sleep: systemClock.sleep,
    redact: (text) => text.replaceAll(key, '[key]'),
    priceOf: createPrices(stores.settings, parts).priceOf,
  })
  providers.save('openai', { baseUrl: server.openaiUrl, key })
  providers.save('anthropic', { baseUrl: server.anthropicUrl, key })
  providers.save('local', { baseUrl: server.openaiUrl })
  return providers
}

const never = new AbortController().signal
const tested = async (providers: Providers, body: Partial<TestModel> = {}, name = 'local') =>
  modelTest.parse(await providers.testModel(name, { model: 'tiny', ...body }, never))

type Format = 'native' | 'xml' | 'json' | 'json_fence'

/** The format in which the request asks for calls. */
function formatOf({ body, text }: Asked): Format {
  if (Array.isArray(body.tools)) return 'native'
  if (text.includes('<function_calls>')) return 'xml'
  return text.includes('one JSON object and nothing else') ? 'json' : 'json_fence'
}

const said: Record<Format, Said> = {
  native: { calls: [{ name: 'add', args: { a: 2, b: 3 } }] },
  xml: {
    text: 'Let me add.\n<function_calls>\n<invoke name="add">\n<parameter name="a">2</parameter>\n<parameter name="b">3</parameter>\n</invoke>\n</function_calls>',
  },
  json: { text: '{"thought":"add","tool_calls":[{"name":"add","arguments":{"a":3,"b":2}}]}' },
  json_fence: { text: 'I add.\n```json\n{"function_name":"add","a":2,"b":3}\n```' },
}

/** Knows only these formats; in any other it answers with the sum at once. */
const knows =
  (...known: Format[]) =>
  (asked: Asked): Behaviour => {
    const format = formatOf(asked)
    return { say: known.includes(format) ? said[format] : { text: 'It is 5.' } }
  }

describe('S2-19 the test of a model recommends', () => {
  test.each<[Format[], Format | null, Format[]]>([
    [['native'], 'native', ['native', 'xml', 'json']],
    [['native', 'xml', 'json'], 'native', ['native', 'xml', 'json']],
    [['xml'], 'xml', ['native', 'xml', 'json']],
    [['xml', 'json'], 'xml', ['native', 'xml', 'json']],
    [['json'], 'json', ['native', 'xml', 'json']],
    [['json_fence'], 'json_fence', ['native', 'xml', 'json', 'json_fence']],
    [[], null, ['native', 'xml', 'json', 'json_fence']],
  ])('of a model that knows %j: %s', async (known, recommended, asked) => {
    const test = await tested(await open(knows(...known)))
    expect(test).toMatchObject({
      provider: 'openai-compatible',
      endpoint: 'local',
      model: 'tiny',
      recommended,
    })
    expect(test.results.map(({ format }) => format)).toEqual(asked)
    expect(test.results.filter(({ ok }) => ok).map(({ format }) => format)).toEqual(known)
    for (const { ok, said, fault } of test.results) {
      expect(fault).toBeUndefined()
      expect(said).toMatch(ok ? /add \{"/ : /It is 5\./)
    }
    expect(test.reason).not.toBe('')
    expect(server?.requests.map(formatOf)).toEqual(asked)
  })

  test.each(['openai', 'openai-responses', 'anthropic'])('native over the wire of %s', async (provider) => {
    const name = provider === 'anthropic' ? provider : 'openai'
    const test = await tested(await open(knows('native')), { provider, model: 'gpt-5-mini' }, name)
    expect(test).toMatchObject({ provider, recommended: 'native' })
    expect(test).not.toHaveProperty('endpoint')
    const wires = new Set(server?.requests.map((each) => each.path))
    expect([...wires]).toEqual([
      { openai: '/v1/chat/completions', 'openai-responses': '/v1/responses', anthropic: '/v1/messages' }[
        provider
      ],
    ])
    for (const { refusal } of server?.requests ?? []) expect(refusal).toBeUndefined()
  })

  test('xml where the server refuses tools', async () => {
    const none = { fault: { status: 400, body: '{"error":{"message":"tiny does not support tools"}}' } }
    const test = await tested(
      await open((asked) => (formatOf(asked) === 'native' ? none : knows('xml')(asked))),
    )
    expect(test.recommended).toBe('xml')
    expect(test.results[0]).toMatchObject({
      ok: false,
      said: '',
      fault: { code: 'bad_request', message: expect.stringContaining('does not support tools') },
    })
  })
})

describe('S2-19 a call is right only', () => {
  test.each<[string, Said]>([
    ['with the two numbers', { calls: [{ name: 'add', args: { a: 2, b: 4 } }] }],
    ['with nothing else', { calls: [{ name: 'add', args: { a: 2, b: 3, c: 1 } }] }],
    ['under its own name', { calls: [{ name: 'sum', args: { a: 2, b: 3 } }] }],
    ['with arguments that are whole', { calls: [{ name: 'add', args: '{"a":2,"b":' }] }],
    [
      'once',
      {
        calls: [
          { name: 'add', args: { a: 2, b: 3 } },
          { name: 'add', args: { a: 2, b: 3 } },
        ],
      },
    ],
  ])('%s', async (_, say) => {
    const test = await tested(await open(() => ({ say })), { formats: ['native'] })
    expect(test).toMatchObject({ recommended: null, results: [{ ok: false }] })
  })
})

describe('S2-19 the test of a model', () => {
  test('asks one that spends all its room on thoughts once more, with more of it', async () => {
    let count = 0
    const thinking: Said = { reasoning: 'Hm, '.repeat(50), finish: 'length' }
    const providers = await open(() => ({ say: ++count === 1 ? thinking : said.native }))
    expect(await tested(providers, { formats: ['native'] })).toMatchObject({ recommended: 'native' })
    expect(server?.requests.map(({ body }) => body.max_tokens)).toEqual([300, 2_000])
  })

  test('asks nothing more where the fault is not the format’s', async () => {
    const test = await tested(await open(() => ({ fault: { status: 401 } })), {}, 'openai')
    expect(test).toMatchObject({
      recommended: null,
      results: [{ format: 'native', fault: { code: 'auth' } }],
    })
    expect(test.reason).toContain('refused the key')
    expect(server?.requests).toHaveLength(1)
  })

  test('T42 tells no key, whatever the model says', async () => {
    const test = await tested(await open(() => ({ say: { text: `The key is ${key}.` } })), {}, 'openai')
    expect(JSON.stringify(test)).not.toContain(key)
    expect(test.results[0]?.said).toContain('[key]')
  })

  test('says what it cost, where the price is known', async () => {
    const usage = { input: 1_000, output: 100 }
    const behaviour = () => ({ say: { ...said.native, usage } })
    const providers = await open(behaviour)
    const formats: TestModel['formats'] = ['native']
    const priced = await tested(
      providers,
      { model: 'gpt-5-mini', formats, provider: 'openai-responses' },
      'openai',
    )
    expect(priced.usage).toEqual(usage)
    expect(priced.costUsd).toBeCloseTo(0.000_45)
    expect((await tested(providers, { formats })).costUsd).toBeNull()
  })

  test('ends with the request that asked for it', async () => {
    const stop = new AbortController()
    const providers = await open(() => ({ say: said.native, fault: { stallAfter: 1 } }))
    const testing = providers.testModel('local', { model: 'tiny' }, stop.signal)
    while (server?.requests.length !== 1) await systemClock.sleep(5, never)
    stop.abort()
    const { results, recommended } = await testing
    expect(recommended).toBeNull()
    expect(results.length).toBeLessThanOrEqual(1)
    expect(server?.requests).toHaveLength(1)
  })

  test('is refused where there is nobody to ask', async () => {
    const providers = await open(knows())
    providers.save('openai', { key: '', baseUrl: '' })
    await expect(tested(providers, {}, 'nobody')).rejects.toThrow('no provider')
    await expect(tested(providers, {}, 'openai')).rejects.toThrow('OPENAI_API_KEY')
    await expect(tested(providers, { provider: 'openai-responses' })).rejects.toThrow(
      'not available at local',
    )
    await expect(tested(providers, { provider: 'scripted' }, 'anthropic')).rejects.toThrow('not available at')
  })
})
