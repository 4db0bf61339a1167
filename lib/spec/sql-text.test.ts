import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { placeIn, sqlTokens, wordsOf } from './sql-text'
import { took } from './took.fixture'

const dialects = ['sqlite', 'postgresql'] as const
const kindsOf = (sql: string, dialect: (typeof dialects)[number]) =>
  wordsOf(sql, dialect).map(({ kind, start, end, name }) => name ?? `${kind} ${sql.slice(start, end)}`)

describe('the tokens of a statement', () => {
  it.each([
    ['sqlite', 'select "a ""b", [c d], `e`', ['select', 'a "b', 'other ,', 'c d', 'other ,', 'e']],
    ['sqlite', "x'00' -- c\n/* d */;", ['x', "text '00'", 'end ;']],
    [
      'postgresql',
      "E'it\\'s' $$a;b$$ $t$ $$ $t$ $1",
      ["text E'it\\'s'", 'text $$a;b$$', 'text $t$ $$ $t$', 'other $1'],
    ],
    ['postgresql', 'a /* b /* c */ ; */ d', ['a', 'd']],
    ['postgresql', "U&'x' B'1' 1.5e3", ["text U&'x'", "text B'1'", 'other 1.5e3']],
    ['postgresql', 'a[1]', ['a', 'other [', 'other 1', 'other ]']],
  ] as const)('%s: %s', (dialect, sql, expected) => {
    expect(kindsOf(sql, dialect)).toEqual(expected)
  })

  it('together are the whole text, whatever it is', () => {
    const piece = fc.constantFrom(
      ...["'", '"', '`', '[', ']', '--', '\n', '/*', '*/', ';', ' ', '$', '$a$', 'E', 'a', '1'],
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.constantFrom(...dialects), (pieces, dialect) => {
        const sql = pieces.join('')
        const tokens = [...sqlTokens(sql, dialect)]
        expect(tokens.map(({ start, end }) => sql.slice(start, end)).join('')).toBe(sql)
        expect(tokens.every(({ start, end }) => end > start)).toBe(true)
      }),
    )
  })

  it('T45 are found in time that grows with the length alone', () => {
    for (const dialect of dialects)
      for (const each of ["'", '"', '[', '/*', '--', '`', ' ', ';', '$', '$a$', "E'\\", 'U&"'])
        expect(
          took(() => wordsOf(each.repeat(90_000 / each.length), dialect)),
          each,
        ).toBeLessThan(1_000)
  })

  it('a place is counted in lines and whole characters', () => {
    expect(placeIn('select\n  😀x', 11)).toEqual({ line: 2, column: 4 })
    expect(placeIn('a', 0)).toEqual({ line: 1, column: 1 })
  })
})
