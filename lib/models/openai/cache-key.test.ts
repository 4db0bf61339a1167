import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#lib/spec/json'
import type { Endpoint } from '#lib/spec/model'
import { tools } from '../dialogue.fixture'
import { request, service } from '../wire/hear.fixture'
import { openai } from './openai'
import { openaiCompatible } from './openai-compatible'
import { openaiResponses } from './openai-responses'

const context = service(() => new Response())
const long = 'A long text. '.repeat(400)
const clients = (settings: object = {}) => [
  openai.connect(openai.settings.parse(settings), context),
  openaiResponses.connect(openaiResponses.settings.parse(settings), context),
  openaiCompatible.connect(
    openaiCompatible.settings.parse({ endpoint: 'e', name: 'm', ...settings }),
    context,
  ),
]
const keysOf = (given: object, settings: object = {}) =>
  clients(settings).map(
    (each) => (JSON.parse(each.encode({ ...request, ...given })) as JsonObject).prompt_cache_key,
  ) // cast: a body is an object

describe('the key of the prompt cache', () => {
  test('is sent with a request that is long enough to be cached, and only where there is one', () => {
    const ours = ['k1', 'k1', 'k1']
    expect(keysOf({ cacheKey: 'k1', instructions: long })).toEqual(ours)
    expect(keysOf({ cacheKey: 'k1', messages: [{ role: 'user', text: long }] })).toEqual(ours)
    expect(keysOf({ cacheKey: 'k1', tools: tools.map((each) => ({ ...each, description: long })) })).toEqual(
      ours,
    )
    const none = [undefined, undefined, undefined]
    expect(keysOf({ cacheKey: 'k1' })).toEqual(none)
    expect(keysOf({ instructions: long })).toEqual(none)
  })

  test('gives way to one that a person has set, and is never there twice', () => {
    const extra = { prompt_cache_key: 'own' }
    expect(keysOf({ cacheKey: 'k1', instructions: long }, { extra })).toEqual(['own', 'own', 'own'])
    for (const client of clients({ extra }))
      expect(
        client.encode({ ...request, cacheKey: 'k1', instructions: long }).match(/prompt_cache_key/g),
      ).toHaveLength(1)
  })

  test('is wanted by services of OpenAI, and by other endpoints where their operator says so', () => {
    const at = (endpoint: Partial<Endpoint>) => ({
      ...context,
      endpoint: (name: string) => ({ name, baseUrl: 'http://127.0.0.1:1/v1', key: 'k', ...endpoint }),
    })
    const wants = (settings: object, endpoint: Partial<Endpoint> = {}) => [
      openai.connect(openai.settings.parse(settings), at(endpoint)).cachesPrompt?.(),
      openaiCompatible
        .connect(openaiCompatible.settings.parse({ endpoint: 'e', name: 'm', ...settings }), at(endpoint))
        .cachesPrompt?.(),
    ]
    expect(wants({})).toEqual([true, false])
    expect(wants({}, { promptCache: true })).toEqual([true, true])
    expect(wants({ promptCache: false }, { promptCache: true })).toEqual([false, false])
  })
})
