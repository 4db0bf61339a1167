import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Cut, cutMarkdown, nothingCut } from './markdown-blocks'

/** All blocks, the one at work too. */
function blocksOf({ done, open }: Cut) {
  return open === null ? done : [...done, open]
}

function grown(text: string, cuts: readonly number[]): Cut {
  let known = nothingCut
  for (const at of [...cuts.map((each) => each % (text.length + 1)).sort((a, b) => a - b), text.length])
    known = cutMarkdown(text.slice(0, at), known)
  return known
}

const piece = fc.constantFrom(
  'A line of words',
  '',
  '',
  '- an item',
  '  more of it',
  '1. first',
  '```js',
  '```',
  '~~~~',
  '   ```',
  '| a | b |',
  '| - | - |',
  '> quoted',
  '[name]: https://example.com',
  '# Heading',
  '    indented',
)

describe('blocks of markdown', () => {
  it('come out the same however the text was cut while it came', () => {
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 24 }),
        fc.array(fc.nat(), { maxLength: 12 }),
        (lines, cuts) => {
          const text = lines.join('\n')
          const whole = cutMarkdown(text)
          expect(grown(text, cuts)).toEqual(whole)
        },
      ),
    )
  })

  it('hold every word of the text', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 24 }), (lines) => {
        const text = lines.join('\n')
        const words = (value: string) => value.replace(/[`~\s]|js/g, '')
        const shown = blocksOf(cutMarkdown(text))
          .map((each) => each.language + each.text)
          .join('\n')
        expect(words(shown)).toBe(words(text))
      }),
    )
  })

  it('end at a blank line, but not in a list or a fence', () => {
    const text = 'One.\n\nTwo.\n\n- a\n\n- b\n\n```sql\nselect 1\n\nselect 2\n```\nLast.\n'
    expect(blocksOf(cutMarkdown(text)).map((each) => [each.kind, each.text.trim(), each.language])).toEqual([
      ['text', 'One.', ''],
      ['text', 'Two.', ''],
      ['text', '- a\n\n- b', ''],
      ['code', 'select 1\n\nselect 2', 'sql'],
      ['text', 'Last.', ''],
    ])
  })

  it('show code while its fence is still open', () => {
    const { done, open } = cutMarkdown('```js\nconst a = 1\ncons')
    expect(done).toEqual([])
    expect(open).toMatchObject({ kind: 'code', language: 'js', text: 'const a = 1\ncons' })
  })

  it('keep what is over as it is, so that it is not drawn again', () => {
    const before = cutMarkdown('One.\n\nTwo.\n')
    const after = cutMarkdown('One.\n\nTwo.\n\nThree', before)
    expect(after.done[0]).toBe(before.done[0])
  })
})
