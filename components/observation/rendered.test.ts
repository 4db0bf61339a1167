import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvOf } from './csv'
import { readingOf } from './kind-of-text'
import { isSql, sqlPieces } from './sql'

describe('how an observation is read', () => {
  it.each([
    ['markdown', '| a | b |\n|---|---|\n| 1 | 2 |'],
    ['markdown', 'So:\n```\nls\n```'],
    ['markdown', '# Title\n\nSome **bold** words'],
    ['json', '{"a": [1, 2]}'],
    ['json', ' [1]'],
    ['text', '{ not json'],
    ['text', '# a comment\nexport A=1'],
    ['text', 'error: no such column: o.region'],
    ['text', ''],
  ])('as %s: %s', (as, text) => {
    expect(readingOf(text).as).toBe(as)
  })
})

describe('SQL', () => {
  it('is cut into pieces that are the text', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('select', ' ', "'", '--', '/*', '*/', '\n', '"', 'x1', '(', '-', '/'),
        }),
        (sql) => {
          expect(
            sqlPieces(sql)
              .map((each) => each.text)
              .join(''),
          ).toBe(sql)
        },
      ),
    )
  })

  it('tells keywords, strings and comments apart', () => {
    const found = (kind: string) =>
      sqlPieces("SELECT name, 'from' AS x -- where\nFROM t").flatMap((each) =>
        each.kind === kind ? [each.text] : [],
      )
    expect(found('keyword')).toEqual(['SELECT', 'AS', 'FROM'])
    expect(found('string')).toEqual(["'from'"])
    expect(found('comment')).toEqual(['-- where'])
  })

  it('is known by its name and how it begins', () => {
    expect(isSql('sql', '\n WITH a AS (SELECT 1) SELECT * FROM a')).toBe(true)
    expect(isSql('query', 'weather in Oslo')).toBe(false)
    expect(isSql('path', 'select')).toBe(false)
  })
})

describe('a table as CSV', () => {
  it('quotes what needs it', () => {
    expect(csvOf(['a', 'b,c'], [['say "x"', 1], [null, { k: 2 }], ['two\nlines']])).toBe(
      'a,"b,c"\r\n"say ""x""",1\r\n,"{""k"":2}"\r\n"two\nlines",',
    )
  })
})

describe('a table as CSV that a spreadsheet opens', () => {
  it.each(['=1+1', '+cmd', '-2+3', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1', '=HYPERLINK("http://x")'])(
    'holds no formula: %j stands behind an apostrophe, as a cell and as the name of a column',
    (text) => {
      const cell = csvOf(['a'], [[text]]).slice('a\r\n'.length)
      expect(cell).toMatch(/^"?'/)
      expect(cell.replaceAll('""', '"')).toContain(text)
      expect(csvOf([text], [])).toMatch(/^"?'/)
    },
  )

  it('keeps plain numbers and words as they are', () => {
    const cells = ['-12.5', '+3', '-1e-7', '-.5', -12.5, 'a=b', '1-2', '']
    const lines = csvOf(
      ['n'],
      cells.map((each) => [each]),
    ).split('\r\n')
    expect(lines.slice(1)).toEqual(cells.map(String))
  })

  it('has the same cells where semicolons or tabs separate them', () => {
    expect(csvOf(['a'], [['x;=1'], ['x\t=1']])).toBe('a\r\n"x;=1"\r\n"x\t=1"')
  })
})
