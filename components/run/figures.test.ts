import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  argumentsText,
  cacheText,
  count,
  duration,
  plural,
  size,
  streamedArguments,
  ticks,
  tokensText,
  usd,
} from './figures'

describe('figures', () => {
  it.each([
    [0, '0 ms'],
    [41.4, '41 ms'],
    [999, '999 ms'],
    [999.7, '1.00 s'],
    [1_880, '1.88 s'],
    [9_999, '10.0 s'],
    [14_230, '14.2 s'],
    [59_990, '1 min 00 s'],
    [125_000, '2 min 05 s'],
    [3_599_900, '60 min 00 s'],
  ])('%d milliseconds read %s', (ms, text) => {
    expect(duration(ms)).toBe(text)
  })

  it.each([
    [0, '$0'],
    [0.000_01, '<$0.0001'],
    [0.000_36, '$0.0004'],
    [0.010_2, '$0.0102'],
    [0.999_96, '$1.00'],
    [1_234.5, '$1,234.50'],
  ])('%d dollars read %s', (value, text) => {
    expect(usd(value)).toBe(text)
  })

  it.each([
    [812, '812 B'],
    [1_420, '1.42 kB'],
    [14_200, '14.2 kB'],
    [999_700, '1.00 MB'],
    [20_971_520, '21.0 MB'],
  ])('%d bytes read %s', (bytes, text) => {
    expect(size(bytes)).toBe(text)
  })

  it('marks tokens that nobody told', () => {
    expect(tokensText(1_204, undefined)).toBe('1,204')
    expect(tokensText(1_204, true)).toBe('≈ 1,204')
  })

  it('groups thousands and says one call, two calls', () => {
    expect(count(12_921)).toBe('12,921')
    expect(plural(1, 'call')).toBe('1 call')
    expect(plural(2, 'call')).toBe('2 calls')
  })

  it('reads arguments as key and value in one line', () => {
    expect(argumentsText({ sql: 'SELECT 1\n  FROM orders', limit: 3, tables: ['a'] })).toBe(
      'sql: SELECT 1 FROM orders, limit: 3, tables: ["a"]',
    )
    expect(argumentsText({})).toBe('')
  })

  it('puts round ticks on any axis, from zero to its end and never more than asked for', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1, max: 1e8, noNaN: true }),
        fc.integer({ min: 2, max: 12 }),
        (span, most) => {
          const found = ticks(span, most)
          expect(found[0]).toBe(0)
          expect(found.length).toBeLessThanOrEqual(most + 1)
          expect(found.at(-1)).toBeLessThanOrEqual(span)
          const [, second = span] = found
          expect(span - (found.at(-1) ?? 0)).toBeLessThan(second * 1.000001)
        },
      ),
    )
    expect(ticks(0)).toEqual([0])
    expect(ticks(21_400, 7)).toEqual([0, 5_000, 10_000, 15_000, 20_000])
  })
})

it.each([
  ['', ''],
  ['{"sql":"SELECT', 'sql: SELECT'],
  ['{"sql":"SELECT \\"a\\"\\nFROM b","data', 'sql: SELECT "a" FROM b, data'],
  ['{"sql":"SELECT 1","database":"retail"}', 'sql: SELECT 1, database: retail'],
  ['{"limit":10,"all":true}', 'limit: 10,all: true'],
])('arguments that stream as %s read %s', (json, shown) => {
  expect(streamedArguments(json)).toBe(shown)
})

it.each([
  [{ input: 13_100, cached: 12_400 }, 0.03, '12,400 of 13,100 tokens from cache, saved $0.0300'],
  [{ input: 13_100, cached: 12_400, cacheWritten: 500 }, undefined, '12,400 of 13,100 tokens from cache'],
  [{ input: 2_000, cacheWritten: 1_900 }, -0.002, '1,900 of 2,000 tokens written to cache, for $0.0020 more'],
  [{ input: 2_000 }, undefined, null],
])('a step with the usage %j says what the cache did', (usage, saved, words) => {
  expect(cacheText(usage, saved)).toBe(words)
})
