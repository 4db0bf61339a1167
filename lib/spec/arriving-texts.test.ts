import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ArrivingTexts } from './arriving-texts'
import type { JsonValue } from './json'

/** The texts after each piece. */
function read(text: string, cuts: readonly number[]): Map<string, string>[] {
  const reader = new ArrivingTexts()
  const ends = [...new Set([...cuts.map((cut) => cut % (text.length + 1)), text.length])].sort(
    (a, b) => a - b,
  )
  let from = 0
  return ends.map((end) => {
    reader.push(text.slice(from, end))
    from = end
    return new Map(reader.texts)
  })
}

const value = fc.jsonValue({ maxDepth: 2 }).map((each) => each as JsonValue) // cast: both are JSON

test('S1-11 the texts of an object are read wherever its JSON is cut, and only grow', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.oneof(fc.string({ unit: 'grapheme' }), fc.string(), value)),
      fc.array(fc.nat(), { maxLength: 12 }),
      fc.constantFrom(0, 2),
      fc.boolean(),
      (object, cuts, space, isAscii) => {
        const plain = JSON.stringify(object, null, space)
        const text = isAscii ? plain.replace(/[^ -~\n]/g, escaped) : plain
        const texts = Object.entries(object).filter(([, each]) => typeof each === 'string')
        const states = read(text, cuts)
        expect(states.at(-1)).toEqual(new Map(texts))
        for (const [index, state] of states.entries())
          for (const [key, part] of state)
            expect((states[index + 1]?.get(key) ?? part).startsWith(part)).toBe(true)
      },
    ),
  )
})

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

test('lists, and texts within other values, are passed over', () => {
  expect(read('["a", {"b": "c"}]', [3, 9]).at(-1)).toEqual(new Map())
  expect(read('{"a": {"b": "c"}, "d": ["e"], "f": "g"}', [8]).at(-1)).toEqual(new Map([['f', 'g']]))
})
