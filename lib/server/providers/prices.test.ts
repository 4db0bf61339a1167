import { describe, expect, test } from 'vitest'
import { providers } from '#lib/models'
import { priceRow } from '#lib/wire/settings'
import { createPrices, priceIn } from './prices'
import { pricesAsOf, defaultPrices as pricesOf } from './prices-table'

const defaultPrices = pricesOf(providers)

const rows = [
  { model: 'gpt-*', input: 9, output: 9 },
  { model: 'gpt-5*', provider: 'openai', input: 1, output: 2 },
  { model: 'gpt-5-mini*', provider: 'openai', input: 3, output: 4, cached: 0.5 },
  { model: 'gpt-5-mini-special', input: 7, output: 7 },
  { model: '*', provider: 'ollama', input: 0, output: 0 },
]

describe('prices', () => {
  test('of the rows that name the provider the longest pattern counts, and only without one those that name none', () => {
    const at = (model: string) => priceIn(rows, { provider: 'openai', model }, providers)
    expect(at('gpt-5')).toEqual({ input: 1, output: 2 })
    expect(at('gpt-5-mini-2025-08-07')).toEqual({ input: 3, output: 4, cached: 0.5 })
    expect(at('gpt-5-mini-special')).toEqual({ input: 3, output: 4, cached: 0.5 })
    expect(at('gpt-4')).toEqual({ input: 9, output: 9 })
    expect(at('o3')).toBeUndefined()
    for (const model of ['gpt-5', 'gpt-5-mini', 'gpt-4', 'o3'])
      expect(priceIn(rows, { provider: 'openai-responses', model }, providers)).toEqual(at(model))
  })

  test('a row without a provider holds at an added endpoint too, unless a row names the endpoint', () => {
    const at = (endpoint: string) =>
      priceIn(rows, { provider: 'openai-compatible', endpoint, model: 'gpt-5' }, providers)
    expect(at('ollama')).toEqual({ input: 0, output: 0 })
    expect(at('vllm')).toEqual({ input: 9, output: 9 })
    expect(priceIn(rows, { provider: 'scripted', model: 'gpt-5' }, providers)).toBeUndefined()
  })

  test('those of the product are rows as a person would enter them, one for each name', () => {
    for (const row of defaultPrices) expect(priceRow.parse(row)).toEqual(row)
    expect(new Set(defaultPrices.map(({ model }) => model)).size).toBe(defaultPrices.length)
    expect(pricesAsOf).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    const at = (provider: string, model: string) => priceIn(defaultPrices, { provider, model }, providers)
    expect(at('openai', 'gpt-5-mini-2025-08-07')).toEqual({ input: 0.25, output: 2, cached: 0.025 })
    expect(at('openai', 'gpt-5-2025-08-07')).toEqual({ input: 1.25, output: 10, cached: 0.125 })
    expect(at('openai', 'gpt-5-pro')).toBeUndefined()
    expect(at('anthropic', 'claude-sonnet-4-5-20250929')).toEqual({
      input: 3,
      output: 15,
      cached: 0.3,
      cacheWrite: 3.75,
    })
    expect(at('anthropic', 'claude-opus-5-5')).toEqual({
      input: 4,
      output: 20,
      cached: 0.2,
      cacheWrite: 5,
    })
  })

  test('a person’s own are kept, and given up for those of the product', () => {
    const kept = new Map()
    const prices = createPrices(
      { get: (key) => kept.get(key), set: (key, value) => void kept.set(key, value) },
      providers,
    )
    expect(prices.view()).toMatchObject({ edited: false, asOf: pricesAsOf })
    prices.save([{ model: 'm', input: 1, output: 2 }])
    expect(prices.view()).toMatchObject({ edited: true, rows: [{ model: 'm', input: 1, output: 2 }] })
    expect(prices.priceOf({ provider: 'openai', model: 'm' })).toEqual({ input: 1, output: 2 })
    expect(prices.priceOf({ provider: 'openai', model: 'gpt-5' })).toBeUndefined()
    prices.save(null)
    expect(prices.view()).toMatchObject({ edited: false, rows: [...defaultPrices] })
  })
})
