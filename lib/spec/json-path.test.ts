import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from './json'
import { pickPath, readPath } from './json-path'

const shop: JsonValue = {
  items: [
    { name: 'tea', price: 3, tags: ['hot'] },
    { name: 'ice', price: 5 },
  ],
  'odd key': { "it's": 1 },
}

function pick(path: string): JsonValue | undefined {
  const read = readPath(path)
  if (read === undefined) throw new Error(`${path} is no path`)
  return pickPath(shop, read)
}

describe('S4-14 a path', () => {
  it.each<[string, JsonValue | undefined]>([
    ['$', shop],
    ['$.items[0].name', 'tea'],
    ['$.items[-1].name', 'ice'],
    ['$["items"][1].price', 5],
    ["$['odd key']['it\\'s']", 1],
    ['$.items[*].name', ['tea', 'ice']],
    ['$.items[*].tags[*]', ['hot']],
    ['$.items.*.price', [3, 5]],
    ['$.items[*].none', []],
    ['$.none', undefined],
    ['$.items[9]', undefined],
    ['$.items.length', undefined],
    ['$.__proto__', undefined],
  ])('%s finds %j', (path, found) => {
    expect(pick(path)).toEqual(found)
  })

  it.each([
    '',
    'items',
    '$.',
    '$..name',
    '$.a b',
    '$[?(@.x)]',
    '$[1:2]',
    '$.items[*',
    '$x',
    `$.${'a'.repeat(300)}`,
  ])('%s is refused', (text) => {
    expect(readPath(text)).toBeUndefined()
  })

  it('of any key in brackets finds exactly the value of that key', () => {
    const key = fc.string({ maxLength: 20 }).filter((each) => each !== '__proto__')
    fc.assert(
      fc.property(key, fc.jsonValue(), (name, value) => {
        const path = readPath(`$['${name.replace(/[\\']/g, '\\$&')}']`)
        expect(path).toEqual([{ key: name }])
        const given = { [name]: value as JsonValue } // cast: fast-check's own JSON type
        expect(pickPath(given, path ?? [])).toEqual(value)
      }),
    )
  })
})
