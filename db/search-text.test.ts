import { describe, expect, it, test } from 'vitest'
import { indexText, searchTerms } from './search-text'

/** Whether a search finds a text, by the definition of a term. */
const finds = (search: string, ...texts: string[]) => {
  const terms = searchTerms(search)
  return terms.length > 0 && terms.every((term) => indexText(texts).includes(term))
}

test.each([
  ['germany', 'Most customers are in Germany.'],
  ['man', 'Most customers are in Germany.'],
  ['ZURICH', 'The office in Zürich'],
  ['zürich', 'The office in Zurich'],
  ['customers germany', 'Most customers are in Germany.'],
  ['"are in germany"', 'Most customers\nare in  Germany.'],
  ['sql.execute', 'sql.execute'],
  ['execute', 'sql.execute'],
  ['100%', 'sold 100% more'],
  ['%', 'sold 100% more'],
  ['1,2', 'It cost $1,200.'],
  ['eu', 'customers in the (EU)'],
  ['7', 'There are 7 of them'],
  ['東京', '売上は東京都で最大'],
  ['京', '売上は東京都で最大'],
  ['"東京都で"', '売上は東京都で最大'],
  ['서울', '서울의 고객'],
  ['กรุง', 'ลูกค้าในกรุงเทพ'],
  ['5"', 'a 5" pipe'],
  ['🎉', 'done 🎉'],
])('%s finds: %s', (search, text) => {
  expect(finds(search, text)).toBe(true)
})

test.each([
  ['germany france', 'Most customers are in Germany.'],
  ['"germany in"', 'Most customers are in Germany.'],
  ['京東', '売上は東京都で最大'],
  ['rm', 'Most customers are in Germany.'],
  ['7', 'There are 17 of them'],
  ['"end begin"', 'the end', 'beginning'],
])('%s does not find: %s', (search, ...texts) => {
  expect(finds(search, ...texts)).toBe(false)
})

describe('a term', () => {
  it('has at least three characters, as the index needs, whatever was typed', () => {
    const typed = [
      'a',
      '%',
      '"',
      '""',
      '" "',
      '東',
      'é',
      'a"b',
      '\u0001x\u0000',
      '\ud800',
      '*',
      'AND',
      '(',
      'NEAR(a b)',
    ]
    for (const search of typed)
      for (const term of searchTerms(search)) expect([search, [...term].length >= 3]).toEqual([search, true])
  })

  it('is empty for nothing but spaces and hidden characters', () => {
    expect(searchTerms(' \t\u0000\u200b ')).toEqual([])
  })
})
