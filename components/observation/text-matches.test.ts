import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitAtMatches } from './text-matches'

test('cuts a text into pieces that are the text', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ maxLength: 3 }), (text, query) => {
      const pieces = splitAtMatches(text, query)
      expect(pieces.map((each) => each.text).join('')).toBe(text)
      for (const { text: piece, isMatch } of pieces)
        if (isMatch) expect(piece.toLowerCase()).toBe(query.toLowerCase())
    }),
  )
  expect(splitAtMatches('Ask an Artist', 'a').filter((each) => each.isMatch)).toHaveLength(3)
})
