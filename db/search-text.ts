/**
 * The form in which runs are indexed and searched: text and search terms are brought into the same form, in which
 * every term has at least the three characters that a trigram index needs. Pure.
 */

/** Separates the pieces of a text. It occurs in no text, since control characters are left out. */
const separator = '\u0001'
/** Characters of each text that are indexed. */
export const indexedLength = 65_536

const hidden = /[\p{Cc}\p{Cf}\p{Cs}]+/gu
const accents = /[\u0300-\u036f]+/g
/**
 * A word, or one character that is a piece of its own: punctuation, and the letters of scripts that are
 * written without spaces between words.
 */
const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}'
const pieces = new RegExp(`(?:(?![${unspaced}])[\\p{L}\\p{M}\\p{N}])+|\\S`, 'gu')
const isWord = new RegExp(`^(?:(?![${unspaced}])[\\p{L}\\p{M}\\p{N}])+$`, 'u')

/** The texts of one run as one text for the index. */
export function indexText(texts: readonly (string | null)[]): string {
  const all = texts.filter((text) => text !== null).map((text) => piecesOf(text.slice(0, indexedLength)))
  return all.map((each) => `${separator}${each.join(separator)}${separator}`).join(' ')
}

/**
 * What a person searches for: words separated by spaces, which must all occur, and phrases in quotes. Each
 * term occurs in `indexText` of a text exactly when the text matches it. A word of one letter or digit matches
 * whole words, and one of two matches the beginnings of words.
 */
export function searchTerms(search: string): string[] {
  const asked = [...search.matchAll(/"([^"]+)"|\S+/g)].map(([whole, phrase]) => phrase ?? whole)
  return asked.map(termOf).filter((term) => term !== '')
}

/** The expression that finds the runs with all of these terms in the full-text index. */
export function matchOf(terms: readonly string[]): string {
  return terms.map((term) => `"${term.replaceAll('"', '""')}"`).join(' AND ')
}

function termOf(asked: string): string {
  const found = piecesOf(asked)
  const first = found[0]
  const last = found.at(-1)
  if (first === undefined || last === undefined) return ''
  const joined = found.join(separator)
  if (found.length === 1 && isWord.test(first)) {
    const length = [...first].length
    if (length === 1) return `${separator}${joined}${separator}`
    return length === 2 ? `${separator}${joined}` : joined
  }
  // A word at an edge of the term may be part of a longer word; any other piece is whole.
  return `${isWord.test(first) ? '' : separator}${joined}${isWord.test(last) ? '' : separator}`
}

function piecesOf(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replace(accents, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(hidden, ' ')
  return plain.match(pieces) ?? []
}
