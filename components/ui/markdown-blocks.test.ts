import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Cut, cutMarkdown, drawnBlocks, headOf, isPlainOnly, nothingCut } from './markdown-blocks'

/** All blocks, including the open one. */
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

describe('a markdown text of any length', () => {
  it('is drawn in parts that begin where a block or a line does', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('word ', 'x'.repeat(50), '\n', '\n\n', '😀'), { maxLength: 200 }),
        fc.integer({ min: 1, max: 3_000 }),
        (parts, most) => {
          const text = parts.join('')
          const head = headOf(text, most)
          expect(text.startsWith(head)).toBe(true)
          expect(head).not.toMatch(/\p{Surrogate}/u)
          expect(head.length).toBeLessThanOrEqual(Math.max(most, 1))
          if (text !== '' && most > 1) expect(head).not.toBe('')
        },
      ),
    )
    expect(headOf('one\n\ntwo\nthree', 10)).toBe('one\n\n')
    expect(headOf('one\ntwo', 5)).toBe('one\n')
  })

  it('stays plain where a line is too long to be words, or quotations nest too deep', () => {
    expect(isPlainOnly(`{"a":"${'b'.repeat(4_001)}"}`)).toBe(true)
    expect(isPlainOnly('>'.repeat(5_000))).toBe(true)
    expect(isPlainOnly(`${'> '.repeat(60)}deep`)).toBe(true)
    expect(isPlainOnly('> said\n> again\n')).toBe(false)
    expect(isPlainOnly(`| a | b |\n|---|---|\n${'| 1 | 2 |\n'.repeat(1_000)}`)).toBe(false)
  })

  it('has no list that is one block however long it grows: it goes on as a list', () => {
    const { done } = cutMarkdown(`${'- an item of a list\n'.repeat(5_000)}\nend\n\nend\n`)
    expect(Math.max(...done.map((each) => each.text.length))).toBeLessThan(13_000)
    expect(done.filter((each) => each.text.startsWith('- ')).length).toBeGreaterThan(5)
  })

  it('is drawn block after block, the first one in any case', () => {
    const blocks = [0, 2_900, 3_100, 9_000].map((at) => ({
      kind: 'text' as const,
      text: 'x',
      language: '',
      at,
    }))
    expect(drawnBlocks(blocks, 3_000)).toBe(2)
    expect(drawnBlocks(blocks.slice(2), 3_000)).toBe(1)
    expect(drawnBlocks(blocks, 10_000)).toBe(4)
    expect(drawnBlocks([], 3_000)).toBe(0)
  })
})

it('a paragraph of thousands of short lines is cut at the end of a line, and loses none', () => {
  const text = 'a\n'.repeat(5_000)
  const blocks = blocksOf(cutMarkdown(text))
  expect(Math.max(...blocks.map((each) => each.text.split('\n').length))).toBeLessThanOrEqual(1_001)
  expect(blocks.map((each) => each.text).join('')).toBe(text)
})
