import fc from 'fast-check'
import { expect, test } from 'vitest'
import { endOfString, JsonScan } from './json-scan'

function scan(...pieces: string[]): JsonScan {
  const scanned = new JsonScan()
  for (const piece of pieces) scanned.push(piece)
  return scanned
}

test('L10: an object is whole when it has closed and nothing follows, whatever stands in its texts', () => {
  expect(scan('').isEmpty).toBe(true)
  expect(scan('  \n').isEmpty).toBe(true)
  expect(scan('{"a":"}"').isWhole).toBe(false)
  expect(scan('{"a":"\\"}"', '}').isWhole).toBe(true)
  expect(scan('{"a":1}', ',"limit":10}').isWhole).toBe(false)
  expect(scan('{"a":1} \n').isWhole).toBe(true)
})

test('every JSON object is whole at its end and nowhere before, for every cut', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (value, seed) => {
      const text = JSON.stringify(value)
      const cut = seed % text.length
      expect(scan(text.slice(0, cut)).isWhole).toBe(false)
      expect(scan(text.slice(0, cut), text.slice(cut)).isWhole).toBe(true)
    }),
  )
})

test('a text that exceeds a limit is read no further than the place where it does', () => {
  expect(new JsonScan().push('{"[[[":[1]}', { maxDepth: 2 })).toBe(11)
  expect(new JsonScan().push('{"a":[[1]]}', { maxDepth: 2 })).toBe(6)
  expect(new JsonScan().push('[1,2,3]', { maxValues: 4 })).toBe(7)
  expect(new JsonScan().push('[1,2,3,4]', { maxValues: 4 })).toBe(6)
})

test('a string ends at the first quote that is not escaped', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (said, after) => {
      const written = JSON.stringify(said)
      expect(endOfString(written + after, 1)).toBe(written.length)
      expect(endOfString(written.slice(0, -1), 1)).toBeLessThan(0)
    }),
  )
})
