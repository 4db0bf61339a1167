/**
 * Words in the form in which the demo compares them: lower case, singular, names split at underscores and
 * capitals.
 */

/** A word of a question, with its original spelling. */
export interface Word {
  readonly stem: string
  readonly raw: string
  /** Whether it begins a sentence, where a capital letter means nothing. */
  readonly first: boolean
  readonly quoted: boolean
}

/** The words of a question in order; quoted text is one word. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = []
  let first = true
  for (const [token] of text.matchAll(
    /"[^"\n]{1,100}"|(?<![\p{L}\p{N}])'[^'\n]{1,100}'|[\p{L}\p{N}]+(?:['’.]\p{L}+)*|[.!?\n]/gu,
  )) {
    if (/^[.!?\n]$/.test(token)) {
      first = true
      continue
    }
    const quoted = /^["']/.test(token)
    const raw = quoted ? token.slice(1, -1) : token.replace(/['’]s$/i, '')
    words.push({ stem: quoted ? raw.toLowerCase() : stem(raw), raw, first, quoted })
    first = false
  }
  return words
}

/** The stems of a table's or column's name: `unit_price` and `unitPrices` give `unit`, `price`. */
export function nameStems(name: string): string[] {
  return (spaced(name).match(/[\p{L}\p{N}]+/gu) ?? []).map(stem)
}

/** A name in plain words: `unit_price` becomes "unit price". */
export function nameWords(name: string): string {
  return (spaced(name).match(/[\p{L}\p{N}]+/gu) ?? [name]).join(' ').toLowerCase()
}

function spaced(name: string): string {
  return name.replace(/(\p{Ll}|\p{N})(?=\p{Lu})/gu, '$1 ')
}

/** Lower case, no accents, singular. */
export function stem(word: string): string {
  const plain = word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  if (plain.length <= 3) return plain
  if (plain.endsWith('ies')) return `${plain.slice(0, -3)}y`
  if (/(s|x|z|ch|sh)es$/.test(plain)) return plain.slice(0, -2)
  return plain.endsWith('s') && !/(ss|us|is)$/.test(plain) ? plain.slice(0, -1) : plain
}

/** Words with similar meanings in tables and questions; the first of each row replaces the others. */
const alike = [
  ['customer', 'client', 'buyer'],
  ['product', 'article', 'good'],
  ['invoice', 'bill'],
  ['nation', 'country'],
  ['employee', 'worker'],
  ['return', 'returned', 'refund', 'refunded'],
  ['price', 'cost'],
  ['quantity', 'qty', 'unit'],
]
const meaning = new Map(
  alike.flatMap(([head = '', ...rest]) => [head, ...rest].map((each) => [each, head] as const)),
)

export function sameWord(one: string, other: string): boolean {
  return one === other || (meaning.get(one) ?? one) === (meaning.get(other) ?? other)
}

const fillers = new Set(
  'a an the of our all these those single different distinct unique various in my their every each some any'.split(
    ' ',
  ),
)

/** Whether a word may come between "which" and the thing it refers to. */
export function isFiller(word: string): boolean {
  return fillers.has(word)
}

/** For example `1,234.5`; whole numbers have no decimal places, others have two. */
export function figure(value: number): string {
  const digits = Number.isInteger(value) ? 0 : 2
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

/** `a, b and c`. */
export function listed(items: readonly string[]): string {
  if (items.length < 2) return items.join('')
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
