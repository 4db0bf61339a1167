/**
 * The form in which memories and passages are indexed and asked for: plain words, and scripts that are written
 * without spaces as single characters and pairs of neighbours. Pure.
 */

const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}'
const pieces = new RegExp(`[${unspaced}]+|(?:(?![${unspaced}])[\\p{L}\\p{M}\\p{N}])+`, 'gu')
const isUnspaced = new RegExp(`^[${unspaced}]`, 'u')

/** The most words of a question that are searched for. */
const mostTerms = 32
/** The longest piece of a text that counts as one word. */
const longestWord = 64

/** Words that say little about what a text is about, left out of a question unless it has no others. */
const common = new Set(
  (
    'a about all also am an and any are as at be because been being but by can could did do does for from ' +
    'had has have he her his how i if in into is it its just me more most my no not of on or our she should so some ' +
    'than that the their them then there these they this those to us was we were what when where which who why will ' +
    'with would you your please tell'
  ).split(' '),
)

/** A text for the index, in which each word is separated by a space. */
export function indexedWords(text: string): string {
  const words: string[] = []
  for (const [piece] of plain(text).matchAll(pieces)) {
    if (!isUnspaced.test(piece)) {
      words.push(piece.slice(0, longestWord))
      continue
    }
    const letters = [...piece]
    for (const [at, letter] of letters.entries()) {
      words.push(letter)
      const next = letters[at + 1]
      if (next !== undefined) words.push(letter + next)
    }
  }
  return words.join(' ')
}

/** The different terms of a question: its words, and pairs of neighbours in scripts without spaces. */
export function questionTerms(question: string): string[] {
  const terms = new Set<string>()
  for (const [piece] of plain(question.slice(0, 4_000)).matchAll(pieces)) {
    if (!isUnspaced.test(piece)) {
      terms.add(piece.slice(0, longestWord))
      continue
    }
    const letters = [...piece]
    if (letters.length === 1) terms.add(piece)
    for (let at = 0; at + 1 < letters.length; at++) terms.add(`${letters[at]}${letters[at + 1]}`)
  }
  const telling = [...terms].filter((term) => !common.has(term))
  return (telling.length > 0 ? telling : [...terms]).slice(0, mostTerms)
}

/** An expression that finds every text with at least one of the terms, among those with this scope. */
export function matchInScopes(terms: readonly string[], scopes: readonly string[]): string {
  const any = (values: readonly string[]) => values.map((each) => `"${each}"`).join(' OR ')
  return `scope : (${any(scopes)}) AND words : (${any(terms)})`
}

function plain(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}
