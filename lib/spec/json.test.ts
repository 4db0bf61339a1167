import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type JsonValue, jsonKey } from './json'

const value = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<JsonValue> // cast: a JSON value by construction

/** The same value with its keys in reverse order at every depth. */
function turned(given: JsonValue): JsonValue {
  if (Array.isArray(given)) return given.map(turned)
  if (typeof given !== 'object' || given === null) return given
  return Object.fromEntries(
    Object.entries(given)
      .reverse()
      .map(([key, each]) => [key, turned(each)]),
  )
}

describe('the key of a JSON value', () => {
  it('is the same whatever the order of the keys', () => {
    fc.assert(
      fc.property(value, (given) => {
        expect(jsonKey(turned(given))).toBe(jsonKey(given))
      }),
    )
  })

  it('is the value written out, so that other values have other keys', () => {
    fc.assert(
      fc.property(value, (given) => {
        expect(JSON.parse(jsonKey(given))).toEqual(JSON.parse(JSON.stringify(given)))
      }),
    )
  })

  it('tells lists in another order, texts from numbers, and null from nothing', () => {
    expect(jsonKey([1, 2])).not.toBe(jsonKey([2, 1]))
    expect(jsonKey({ a: '1' })).not.toBe(jsonKey({ a: 1 }))
    expect(jsonKey({ a: null })).not.toBe(jsonKey({}))
    expect(jsonKey(JSON.parse('{"a": 1.0}'))).toBe(jsonKey({ a: 1 }))
  })
})
