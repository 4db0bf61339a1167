/** Tests the globs of scopes and of the skills policy. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchesAny, matchesGlob, mostPatternWeight, overweight } from './glob'

describe('a glob over tool names', () => {
  it.each([
    ['schema.*', 'schema.list_tables', true],
    ['schema.*', 'schema', false],
    ['*', 'anything.at_all', true],
    ['*.execute', 'sql.execute', true],
    ['*.execute', 'sql.execute_all', false],
    ['s*l.ex*', 'sql.execute', true],
    ['sql.execute', 'sql.execute', true],
    ['sql.execute', 'sqlxexecute', false],
    ['s*l*l', 'sql', false],
    ['s*l*l', 'sqll', true],
    ['a+b', 'a+b', true],
    ['a+b', 'aab', false],
    ['files.(create)', 'files.(create)', true],
    ['**', 'x', true],
  ])('%s over %s is %s', (glob, name, fits) => {
    expect(matchesGlob(glob, name)).toBe(fits)
  })

  it('fits itself whatever characters it holds, stars aside', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (name) => {
        fc.pre(!name.includes('*'))
        expect(matchesGlob(name, name)).toBe(true)
        expect(matchesGlob(`${name}*`, `${name} and more`)).toBe(true)
        expect(matchesGlob(name, `${name}!`)).toBe(false)
      }),
    )
  })

  it('matches any of several', () => {
    expect(matchesAny(['web.*', 'sql.execute'], 'sql.execute')).toBe(true)
    expect(matchesAny([], 'sql.execute')).toBe(false)
  })

  it('is answered for a long list as for its single globs, whatever was asked before', () => {
    const word = fc
      .array(fc.constantFrom('a', 'b', '.', '*'), { maxLength: 5 })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 9, maxLength: 20 }),
        fc.array(word, { maxLength: 6 }),
        (globs, names) => {
          for (const name of [...names, ...names])
            expect(matchesAny(globs, name)).toBe(globs.some((each) => matchesGlob(each, name)))
        },
      ),
    )
  })

  it('T40 a glob of many stars over a long name ends at once', () => {
    expect(matchesGlob(`${'*a'.repeat(12)}b`, 'a'.repeat(60))).toBe(false)
  })
})

it('the patterns of all lists count together, each one and each of its stars one more', () => {
  const plain = { path: 'a', globs: Array.from({ length: mostPatternWeight - 3 }, (_, n) => `t${n}`) }
  const starred = { path: 'b', globs: ['x*y*'] }
  expect(overweight([plain, starred])).toBeUndefined()
  expect(overweight([plain, starred, { path: 'c', globs: [] }])).toBeUndefined()
  const over = overweight([plain, starred, { path: 'c', globs: ['z'] }])
  expect([over?.list.path, over?.message.includes(String(mostPatternWeight))]).toEqual(['c', true])
})
