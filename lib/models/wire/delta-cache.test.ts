import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countFor } from '#e2e/test-depth'
import { DeltaCache } from './delta-cache'

const chunk = (content: string, more: object = {}) =>
  JSON.stringify({ id: 'c1', choices: [{ index: 0, delta: { content }, finish_reason: null }], ...more })

/** The value of each text, copied at once because it is valid only until the next read. */
function readAll(texts: readonly string[]): unknown[] {
  const alike = new DeltaCache()
  return texts.map((text) => structuredClone(alike.read(text)))
}

describe('texts that come in a row', () => {
  test('are read as JSON, whatever stands in the string in which they differ', () => {
    const words = [
      'the ',
      'then ',
      '',
      '"',
      '\\',
      '\\"',
      '\n\u0000\u0001',
      'ü👋',
      '\ud800',
      '</x>',
      '{"a":"b"}',
    ]
    const texts = [...words, ...words].map((word) => chunk(word))
    expect(readAll(texts)).toEqual(texts.map((text) => JSON.parse(text)))
  })

  test('are read as JSON, whatever they are @deep', () => {
    const value = fc.oneof(
      fc.string({ unit: 'binary' }).map((word) => chunk(word)),
      fc.tuple(fc.string(), fc.string()).map(([word, pad]) => chunk(word, { pad })),
      fc.string().map((word) => JSON.stringify({ ['__proto__']: word, a: ['x', word] })),
      fc.string().map((word) => `{"a":"${word.replace(/[^\w"\\]/g, '')}","b":1}`),
      fc.string().map((word) => `{"a":"x","a":${JSON.stringify(word)},"a b":"\\u0001"}`),
      fc.integer({ max: 3 }).map((n) => `{"a":${n},"b":"x"}`),
      fc.jsonValue({ maxDepth: 2 }).map((each) => JSON.stringify(each)),
      fc.constantFrom('', '"', '{', '{"a":"', 'x', '{"a":"b"}', '{"b":"b"}', '["a"]', '["b"]', '"a"', '"b"'),
    )
    fc.assert(
      fc.property(fc.array(value, { maxLength: 30 }), (texts) => {
        const plain = texts.map((text) => {
          try {
            return JSON.parse(text)
          } catch {
            return undefined
          }
        })
        expect(JSON.stringify(readAll(texts))).toBe(JSON.stringify(plain))
      }),
      { numRuns: countFor({ quick: 40, deep: 150 }) },
    )
  })

  test('keep what stands around the string that changes, and take a new shape when another comes', () => {
    const texts = [
      chunk('a'),
      chunk('b'),
      chunk('c', { usage: null }),
      chunk('d', { usage: null }),
      chunk('e'),
      '{"error":{"message":"gone"}}',
    ]
    expect(readAll(texts)).toEqual(texts.map((text) => JSON.parse(text)))
  })
})
