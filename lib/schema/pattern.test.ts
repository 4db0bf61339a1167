import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countFor } from '#e2e/test-depth'
import { took } from '#lib/spec/took.fixture'
import { Pattern, patternProblem } from './pattern'
import { Unchecked, Work } from './work'

const matches = (pattern: string, text: string) => new Pattern(pattern).test(text, new Work(10_000_000))

/** Patterns in ECMAScript's syntax, small enough that its own engine is fast. */
const atom = fc.constantFrom(
  ...[
    'a',
    'b',
    'é',
    '😀',
    '.',
    '\\d',
    '\\w',
    '\\s',
    '[a-c]',
    '[^a]',
    '[\\]\\-b]',
    '[^]',
    '\\p{L}',
    '\\P{Lu}',
  ],
  ...['\\u0061', '\\u{1F600}', '\\ud83d\\ude00', '\\x62', '\\.', '\\n', '\\cJ', '\\/', '\\0', '^', '$'],
)
const patterns = fc.letrec<{ choice: string; sequence: string; part: string }>((tie) => ({
  choice: fc.array(tie('sequence'), { minLength: 1, maxLength: 2 }).map((parts) => parts.join('|')),
  sequence: fc.array(tie('part'), { maxLength: 3 }).map((parts) => parts.join('')),
  part: fc
    .tuple(
      fc.oneof(
        { maxDepth: 2, withCrossShrink: true },
        atom,
        fc.constantFrom('\\b', '\\B'),
        tie('choice').map((each) => `(?:${each})`),
        tie('choice').map((each) => `(${each})`),
      ),
      fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{0,2}', '{1,}', '{0}', '*?', '+?', '{1,2}?'),
    )
    .map(([each, times]) => (/^(\^|\$|\\b|\\B)$/i.test(each) ? each : `${each}${times}`)),
})).choice
const texts = fc
  .array(fc.constantFrom('a', 'b', 'c', 'A', '1', '_', ' ', '\n', 'é', '😀', '\ud83d', '-', '.', ']', '/'), {
    maxLength: 6,
  })
  .map((parts) => parts.join(''))

describe('patterns', () => {
  test('match what ECMAScript says they match @deep', () => {
    fc.assert(
      fc.property(patterns, texts, (pattern, text) => {
        // V8 finds an inner edge between the two halves of a surrogate pair, where ECMAScript has no position
        // at all.
        fc.pre(!pattern.includes('\\B') || !/[\ud800-\udfff]/.test(text))
        expect(matches(pattern, text)).toBe(new RegExp(pattern, 'u').test(text))
      }),
      { numRuns: countFor({ quick: 500, deep: 2_000 }) },
    )
  }, 60_000)

  test('that make ECMAScript run away take a moment', () => {
    const long = `${'a'.repeat(50_000)}!`
    for (const pattern of [
      '^(a+)+$',
      '^(a|a)*$',
      '^(a|aa)+$',
      '^(.*a){12}$',
      '(a*)*b',
      '^(\\w+\\s?)*$',
      '(x+x+)+y',
    ]) {
      const cost = took(() => expect(matches(pattern, long), pattern).toBe(false))
      expect(cost, pattern).toBeLessThan(2000)
    }
  })

  test('stop when their work is used up', () => {
    const pattern = new Pattern('^(?:.{0,40}){0,40}$')
    expect(() => pattern.test('a'.repeat(5000), new Work(100_000))).toThrow(Unchecked)
    expect(pattern.test('a', new Work(1_000_000)), 'and match another text afterwards').toBe(true)
  })

  const unusable: [string, string, string][] = [
    ['a look ahead', 'a(?=b)', 'look-ahead'],
    ['a look ahead for what must not come', 'a(?!b)', 'look-ahead'],
    ['a look behind', '(?<=a)b', 'look-behind'],
    ['a look behind for what must not stand there', '(?<!a)b', 'look-behind'],
    ['a back-reference', '(a)\\1', 'back-reference'],
    ['a back-reference by name', '(?<x>a)\\k<x>', 'back-reference'],
    ['half a group', '(', 'not a valid regular expression'],
    ['a long repeat', 'a{20000}', 'more than 10000 states'],
    ['repeats of repeats', '((a{100}){100}){100}', 'more than 10000 states'],
    ['a long repeat of nothing', '(?:){999999999}', 'more than 10000 states'],
    ['deep groups', `${'('.repeat(300)}${')'.repeat(300)}`, 'nested more than 100'],
    ['a long text', 'a'.repeat(30_000), 'more than 20000 characters'],
  ]
  test.each(unusable)('with %s cannot be used, and the reason is said', (_, pattern, reason) => {
    expect(patternProblem(pattern)).toContain(reason)
    expect(() => new Pattern(pattern)).toThrow(Unchecked)
  })

  test.each(['[(?=]', '\\(\\?=', '[\\d]', '(?<year>\\d{4})', '\\\\1'])(
    '%s only looks like one that cannot be used',
    (pattern) => expect(patternProblem(pattern)).toBeUndefined(),
  )
})
