import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { placesAlong, placesIn, tokenAt } from './json-text'

describe('the places in a JSON text', () => {
  test('are the root and each step of the path, as far as the text has them', () => {
    const text = ' {"a": [1, {"b": "]"}]}'
    const values = (...path: string[]) =>
      placesAlong(text, path).map(({ value, to }) => text.slice(value, to))
    expect(values('a', '1', 'b')).toEqual(['{"a": [1, {"b": "]"}]}', '[1, {"b": "]"}]', '{"b": "]"}', '"]"'])
    expect(values('a', '2', 'b')).toHaveLength(2)
    expect(placesAlong(' ', ['a'])).toEqual([])
  })

  test('of two members with one key, the last counts, as when it is parsed', () => {
    expect(placesAlong('{"a":1,"\\u0061":2}', ['a'])[1]).toEqual({ key: 'a', from: 7, value: 16, to: 17 })
  })

  test('are found in any text without an error and without an end below their beginning', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'[]{},:"\\a1 \n') }), (text) => {
        for (const { from, value, to } of placesIn(text, tokenAt(text, 0).from)) {
          expect(from).toBeLessThanOrEqual(value)
          expect(value).toBeLessThanOrEqual(to)
          expect(to).toBeLessThanOrEqual(text.length)
        }
      }),
    )
  })
})
