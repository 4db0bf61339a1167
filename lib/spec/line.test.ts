import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { argumentsLine, jsonLine, lineLength, lineOf, shortenText } from './line'

/** The fastest of a few tries, in milliseconds: one slow try on a busy machine proves nothing. */
function fastest(work: () => void): number {
  return Math.min(
    ...Array.from({ length: 5 }, () => {
      const from = performance.now()
      work()
      return performance.now() - from
    }),
  )
}

describe('a text in one line', () => {
  it('stands as it is when it fits, and says that it was cut when it does not', () => {
    expect(shortenText('abc', 3)).toBe('abc')
    expect(shortenText('abcd', 3)).toBe('abc …')
    expect(shortenText('ab😀', 3)).toBe('ab …')
  })

  it('has no line breaks, and shows what hides', () => {
    expect(lineOf('one\r\n  two\tthree')).toBe('one two three')
    expect(lineOf('invoice\u202efdp.exe')).toBe('invoice⟨U+202E⟩fdp.exe')
  })

  it('never cuts a character apart, and is never much longer than asked', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 20 }), (text, limit) => {
        const line = shortenText(text, limit)
        expect(line.length).toBeLessThanOrEqual(limit + 2)
        if (!/\p{Surrogate}/u.test(text)) expect(line).not.toMatch(/\p{Surrogate}/u)
      }),
    )
  })
})

describe('JSON in one line', () => {
  it('is what JSON.stringify writes as far as the line goes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 60 }), (value, limit) => {
        const whole = JSON.stringify(value)
        expect(jsonLine(value, 1_000_000)).toBe(whole)
        const line = jsonLine(value, limit)
        expect(line).toBe(shortenText(whole, limit))
      }),
    )
  })
})

describe('arguments in one line', () => {
  it('are keys and values, with white space as single spaces', () => {
    expect(argumentsLine({ sql: 'SELECT\n  1', list: [1, 'a'], none: null })).toBe(
      'sql: SELECT 1, list: [1,"a"], none: null',
    )
  })

  it.each([
    ['one long word', { content: 'x'.repeat(5_000_000) }],
    ['a list of many', { list: Array.from({ length: 500_000 }, (_, n) => n) }],
    ['a long text within', { deep: { deeper: ['y'.repeat(5_000_000)] } }],
    ['white space', { content: ' '.repeat(5_000_000) }],
  ])('of %s cost no more than the line', (_, args) => {
    expect(argumentsLine(args).length).toBeLessThanOrEqual(lineLength + 2)
    expect(fastest(() => argumentsLine(args))).toBeLessThan(2)
  })
})
