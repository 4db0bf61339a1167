import { describe, expect, test } from 'vitest'
import { costOf, savedOf } from './cost'

const price = { input: 4, output: 20, cached: 0.4, cacheWrite: 5 }
const million = 1_000_000

describe('the price of an answer', () => {
  test.each([
    ['without a cache', { input: million, output: 0 }, 4, undefined],
    ['read from the cache as a whole', { input: million, output: 0, cached: million }, 0.4, 3.6],
    ['written to the cache as a whole', { input: million, output: 0, cacheWritten: million }, 5, -1],
    [
      'both, and an answer',
      { input: 4 * million, output: million, cached: 2 * million, cacheWritten: million },
      29.8,
      6.2,
    ],
    [
      'more than there is',
      { input: million, output: 0, cached: 2 * million, cacheWritten: million },
      0.4,
      3.6,
    ],
  ])('%s', (_, usage, cost, saved) => {
    expect(costOf(usage, price)).toBeCloseTo(cost, 10)
    if (saved === undefined) expect(savedOf(usage, price)).toBeUndefined()
    else expect(savedOf(usage, price)).toBeCloseTo(saved, 10)
  })

  test('of input in the cache is that of other input where a price does not say', () => {
    const usage = { input: 10, output: 0, cached: 4, cacheWritten: 3 }
    expect(costOf(usage, { input: million, output: 0 })).toBe(10)
    expect(savedOf(usage, { input: million, output: 0 })).toBeUndefined()
    expect([costOf(usage, undefined), savedOf(usage, undefined)]).toEqual([null, undefined])
  })
})
