import { describe, expect, test } from 'vitest'
import type { ToolLimits } from '#lib/spec/policy'
import { took } from '#lib/spec/took.fixture'
import { mask } from './mask'

function masked(text: string, given: object = {}): string {
  const limits: ToolLimits = { maxChars: 1, timeoutSeconds: 1, retries: [] }
  mask.limitTool?.(mask.settings.parse(given), limits)
  return (limits.masks ?? []).reduce((left, each) => each.mask(left), text)
}

describe('mask (S1-32)', () => {
  test('hides all three kinds unless told otherwise, and only those it is told', () => {
    const text = 'ann@example.com, 13812345678, 4111 1111 1111 1111'
    expect(masked(text)).toBe('[email], [phone], [card]')
    expect(masked(text, { what: ['card'] })).toBe('ann@example.com, 13812345678, [card]')
    expect(masked(text, { what: [] })).toBe(text)
  })

  test('hides what patterns match, in order, each all of its matches', () => {
    const patterns = ['(?i)case-\\d+', '[一-龥]{2}区']
    expect(masked('CASE-12 and case-7 in 浦东区', { patterns })).toBe('[masked] and [masked] in [masked]')
  })

  test.each(['(', '(?=a)', '(a)\\1', 'a*', '', '^', '\\b', 'x|', '(?P<a', '[', 'a{2000}', 'x'.repeat(501)])(
    'the pattern %s is refused with its place',
    (pattern) => {
      const read = mask.settings.safeParse({ patterns: ['fine', pattern] })
      expect(read.error?.issues.map(({ path }) => path.join('/'))).toEqual(['patterns/1'])
    },
  )

  test('at most 20 patterns', () => {
    expect(mask.settings.safeParse({ patterns: Array(20).fill('a') }).success).toBe(true)
    expect(mask.settings.safeParse({ patterns: Array(21).fill('a') }).success).toBe(false)
  })

  test('a pattern that would never end elsewhere takes no time', () => {
    const given = { what: [], patterns: ['(a+)+$', '(a|a)*c'] }
    const text = `${'a'.repeat(100_000)}b`
    expect(took(() => expect(masked(text, given)).toHaveLength(100_001))).toBeLessThan(2_000)
  })

  test('says what it hides', () => {
    expect(mask.says?.(mask.settings.parse({ patterns: ['a'] }))).toBe(
      'Hidden in results: email, phone, card, 1 pattern',
    )
    expect(mask.says?.(mask.settings.parse({ what: [] }))).toBeUndefined()
  })
})
