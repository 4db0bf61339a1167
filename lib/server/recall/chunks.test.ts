import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chunksOfPages, chunksOfText } from './chunks'

const markdown = `Intro before any heading.

# Refunds
Money goes back to the card.

## After 30 days
Only a voucher is given.

\`\`\`sh
# not a heading

echo hi
\`\`\`

### Exceptions
Broken goods.
# Shipping
Two days.
`

describe('passages of a document', () => {
  it('have the headings above them as their place, and a comment in a block of code is no heading', () => {
    expect(chunksOfText(markdown, { hasHeadings: true }).map(({ place, text }) => [place, text])).toEqual([
      ['', 'Intro before any heading.'],
      ['Refunds', 'Money goes back to the card.'],
      ['Refunds › After 30 days', 'Only a voucher is given.\n\n```sh\n# not a heading\n\necho hi\n```'],
      ['Refunds › After 30 days › Exceptions', 'Broken goods.'],
      ['Shipping', 'Two days.'],
    ])
  })

  it.each(['#'.repeat(300_000), ' '.repeat(300_000), '['.repeat(300_000)])(
    'T53 a line that is too long for a heading is text, and is read at once: %.3s…',
    (filling) => {
      const [chunk] = chunksOfText(`# ${filling}x`, { hasHeadings: true })
      expect(chunk).toMatchObject({ place: '' })
    },
  )

  it('lose the marks that close a heading', () => {
    expect(chunksOfText('## Refunds ##\nSoon.', { hasHeadings: true })).toEqual([
      { place: 'Refunds', text: 'Soon.' },
    ])
  })

  it('of a PDF name their page', () => {
    const text = '--- Page 1 ---\nOne.\n\n--- Page 3 ---\nThree, and\n--- Page x ---'
    expect(chunksOfPages(text)).toEqual([
      { place: 'page 1', text: 'One.' },
      { place: 'page 3', text: 'Three, and\n--- Page x ---' },
    ])
  })

  it('are short, whatever the text, and together hold every word of it', () => {
    const word = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' })
    const text = fc
      .array(fc.tuple(word, fc.constantFrom(' ', '. ', '\n', '\n\n', '')), { maxLength: 800 })
      .map((pairs) => pairs.flat().join(''))
    fc.assert(
      fc.property(text, (given) => {
        const chunks = chunksOfText(given, { hasHeadings: false })
        const letters = (all: string) => all.replace(/\s+/g, '')
        expect(letters(chunks.map((each) => each.text).join(''))).toBe(letters(given))
        for (const each of chunks) expect(each.text.length).toBeLessThanOrEqual(2_900)
      }),
      { numRuns: 60 },
    )
  })
})
