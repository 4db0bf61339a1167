import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pieceLength, pieceLines, portionEnd, textPieces } from './text-pieces'

const joined = (text: string, limit?: number) =>
  textPieces(text, limit)
    .map((each, index) => (index === 0 || each.isContinued ? each.text : `\n${each.text}`))
    .join('')

const longTexts = fc
  .array(
    fc.oneof(
      fc.constantFrom('\n', '\n\n', '😀', 'word ', '\r\n'),
      fc.integer({ min: 1, max: 3 * pieceLength }).map((length) => 'x'.repeat(length)),
      fc.integer({ min: 1, max: 2 * pieceLength }).map((length) => '\n'.repeat(length)),
      fc.integer({ min: 1, max: 2 * pieceLength }).map((length) => '😀'.repeat(length)),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))

describe('the pieces of a text', () => {
  it('are the whole text, in their order', () => {
    fc.assert(
      fc.property(longTexts, (text) => {
        expect(joined(text)).toBe(text)
      }),
      { numRuns: 200 },
    )
  })

  it('are short, never empty between two others, and never cut a character apart', () => {
    fc.assert(
      fc.property(longTexts, (text) => {
        for (const each of textPieces(text)) {
          expect(each.text.length).toBeLessThanOrEqual(pieceLength)
          expect(each.text).not.toMatch(/\p{Surrogate}/u)
          expect(each.breaks).toBeLessThan(pieceLines)
          expect(each.breaks).toBe(each.text.split('\n').length - 1)
        }
      }),
      { numRuns: 100 },
    )
  })

  it('end where as much is shown as was asked for', () => {
    fc.assert(
      fc.property(longTexts, fc.nat(30_000), (text, limit) => {
        const shown = joined(text, limit)
        expect(text.startsWith(shown)).toBe(true)
        // The one line break after the last piece is not drawn, and neither is half of a character.
        expect(Math.min(limit, text.length) - shown.length).toBeLessThanOrEqual(1)
      }),
      { numRuns: 200 },
    )
  })

  it('of five million characters are made in a moment', () => {
    const line = 'x'.repeat(5_000_000)
    const from = performance.now()
    expect(textPieces(line).length).toBe(5_000_000 / pieceLength)
    expect(performance.now() - from).toBeLessThan(100)
  })

  it('of millions of short lines hold a bounded number of lines each, and are made in a moment', () => {
    const text = 'a\n'.repeat(2_500_000)
    const from = performance.now()
    const pieces = textPieces(text)
    expect(performance.now() - from).toBeLessThan(500)
    expect(Math.max(...pieces.map(({ breaks }) => breaks))).toBe(pieceLines - 1)
  })
})

describe('what one press adds', () => {
  const most = { chars: 10_000, lines: 50 }

  it('is bounded by characters and by lines, and the presses together give all of the text', () => {
    fc.assert(
      fc.property(longTexts, (text) => {
        let from = 0
        for (let end = portionEnd(text, 0, most); end > from; end = portionEnd(text, from, most)) {
          const added = text.slice(from, end)
          expect(added.length).toBeLessThanOrEqual(most.chars)
          expect(added.split('\n').length - 1).toBeLessThanOrEqual(most.lines)
          expect(added).not.toMatch(/\p{Surrogate}/u)
          from = end
        }
        expect(from).toBe(text.length)
      }),
      { numRuns: 100 },
    )
  })

  it('is as much as it may be', () => {
    expect(portionEnd('x'.repeat(20_000), 0, most)).toBe(10_000)
    expect(portionEnd('a\n'.repeat(2_000), 100, most)).toBe(200)
    expect(portionEnd('a\nb', 0, most)).toBe(3)
  })
})
