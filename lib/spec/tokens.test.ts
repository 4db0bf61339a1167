import fc from 'fast-check'
import { expect, test } from 'vitest'
import { estimateTokens } from './tokens'

test.each([
  ['', 0],
  ['a', 1],
  ['four', 1],
  ['fives', 2],
  ['天気', 2],
  ['👋', 1],
  ['été', 3],
])('%j is about %i tokens', (text, tokens) => {
  expect(estimateTokens(text)).toBe(tokens)
})

test('two texts are never fewer tokens together than the longer, nor more than both', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (one, other) => {
      const both = estimateTokens(one + other)
      expect(both).toBeLessThanOrEqual(estimateTokens(one) + estimateTokens(other))
      expect(both).toBeGreaterThanOrEqual(Math.max(estimateTokens(one), estimateTokens(other)))
    }),
  )
})
