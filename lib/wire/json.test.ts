import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { took } from '#lib/spec/took.fixture'
import { bytesInWords, parseJson } from './json'

const fault = (text: string, limits?: Parameters<typeof parseJson>[1]) => {
  const read = parseJson(text, limits)
  return read.ok ? undefined : read.error
}

function quickly<T>(work: () => T): T {
  let value: T | undefined
  expect(
    took(() => {
      value = work()
    }),
  ).toBeLessThan(1_000)
  return value as T // cast: the work has run
}

describe('JSON from strangers', () => {
  test('what JSON.parse gives is what comes back', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = JSON.stringify(value)
        fc.pre(!text.includes('__proto__') && !text.includes('constructor'))
        expect(parseJson(text)).toEqual({ ok: true, value: JSON.parse(text) })
      }),
    )
  })

  test('no text makes it throw', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'[]{},:"\\u0019ae. \n') }), (text) => {
        const read = parseJson(text)
        expect(read.ok || read.error.length > 0).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })

  test('T41 100,000 levels are refused at the place where it goes too deep', () => {
    for (const open of ['[', '{"a":', '[{"b":']) {
      expect(quickly(() => fault(open.repeat(100_000)))).toMatch(
        /deeper than 64 levels \(line 1, column \d+\)/,
      )
    }
    const levels = (count: number) => `${'['.repeat(count)}${']'.repeat(count)}`
    expect(fault(levels(64))).toBeUndefined()
    expect(fault(levels(65))).toContain('deeper')
    expect(fault(`"${'['.repeat(1_000)}"`)).toBeUndefined()
  })

  test('T41 50 MB are refused without being read', () => {
    expect(quickly(() => fault(`"${'x'.repeat(50_000_000)}"`))).toBe('The JSON is larger than 4 MiB.')
    expect(fault('"äää"', { maxBytes: 7 })).toBe('The JSON is larger than 7 bytes.')
    expect(fault('"äää"', { maxBytes: 8 })).toBeUndefined()
  })

  test('T41 a million keys are refused before they are built', () => {
    const keys = Array.from({ length: 1_000_000 }, (_, index) => `"${index}":0`).join(',')
    expect(quickly(() => fault(`{${keys}}`, { maxBytes: 64 * 1024 * 1024 }))).toContain(
      'more than 100,000 values',
    )
    expect(quickly(() => fault(`[${'0,'.repeat(1_000_000)}0]`))).toContain('more than 100,000 values')
  })

  test.each([
    '{"__proto__": {"x": 1}}',
    '{"a": [{"b": {"__proto__": null}}]}',
    '{"\\u005f_proto__": 1}',
    '{"constructor": {"prototype": {"x": 1}}}',
  ])('T39 %s is refused', (text) => {
    expect(fault(text)).toContain('not allowed')
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  })

  test('T39 words that only look like it are taken', () => {
    expect(fault('{"constructor": "x", "prototype": 1, "a": "__proto__"}')).toBeUndefined()
  })

  test.each([
    ['', 'The JSON is empty.'],
    ['  \n', 'The JSON is empty.'],
    ['{"a": 1', /^The JSON (ends too early|does not parse).*line 1, column 8/],
    ['{\n  "a": 1,\n}', /line 3, column 1/],
    ['{"a": 1} x', /line 1, column 10/],
    ['undefined', /^The JSON does not parse/],
    ['NaN', /^The JSON does not parse/],
  ])('%j: what is wrong and where', (text, sentence) => {
    expect(fault(text)).toMatch(sentence)
  })

  test('sizes are said as people say them', () => {
    expect([bytesInWords(4 * 1024 * 1024), bytesInWords(300 * 1024), bytesInWords(999)]).toEqual([
      '4 MiB',
      '300 KiB',
      '999 bytes',
    ])
  })
})
