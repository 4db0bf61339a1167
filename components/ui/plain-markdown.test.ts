import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { plainMarkdown } from './plain-markdown'

describe('a markdown text as plain words', () => {
  test.each([
    ['There are **408** customers.', 'There are 408 customers.'],
    ['## Revenue\nIt is *high*.', 'Revenue\nIt is high.'],
    ['Run `npm start`, then see [the page](https://example.com/a).', 'Run npm start, then see the page.'],
    ['| Country | Revenue |\n| - | -: |\n| Chile | **12** |', 'Country, Revenue\nChile, 12'],
    ['```sql\nselect 1\n```', 'select 1'],
    ['> __Quoted__ and ~~gone~~', 'Quoted and gone'],
    ['**Two** and **three**', 'Two and three'],
  ])('leaves the marks out of %j', (text, plain) => {
    expect(plainMarkdown(text)).toBe(plain)
  })

  test.each([
    '2 * 3 * 4 = 24',
    '2**3 is 8',
    'files_read_all and part_1',
    'a | b',
    'items[0](x y)',
    '#1 of the list',
    '- one\n- two',
    '**not closed',
  ])('keeps %j, which has no marks of markdown', (text) => {
    expect(plainMarkdown(text)).toBe(text)
  })

  test('keeps a text of letters and spaces, and what follows the part that it reads', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z ]{0,40}$/), fc.nat(4_000), (words, more) => {
        const text = `${words}${'x'.repeat(more)}`
        expect(plainMarkdown(text)).toBe(text)
      }),
    )
  })
})
