/** Words as the demo compares them: lower case, singular, names split at underscores and capitals. */

/** A word of a question, with its original spelling. */
export interface Word {
  readonly stem: string
  readonly raw: string
  /** Whether it begins a sentence, where a capital letter means nothing. */
  readonly first: boolean
  readonly quoted: boolean
}

const token = /"[^"\n]{1,100}"|(?<![\p{L}\p{N}])'[^'\n]{1,100}'|[\p{L}\p{N}]+(?:['’.]\p{L}+)*|[.!?\n]/gu

/** The words of a question in order; quoted text is one word. */
export function splitWords(text: string): Word[] {
  const words: Word[] = []
  let first = true
  for (const [found] of text.matchAll(token)) {
    const endsSentence = /^[.!?\n]$/.test(found)
    if (!endsSentence) {
      const quoted = /^["']/.test(found)
      const raw = quoted ? found.slice(1, -1) : found.replace(/['’]s$/i, '')
      words.push({ stem: stem(raw), raw, first, quoted })
    }
    first = endsSentence
  }
  return words
}

/** The stems of a table's or column's name: `unit_price` and `unitPrices` give `unit`, `price`. */
export function nameStems(name: string): string[] {
  return splitName(name).map(stem)
}

/** A name in plain words: `unit_price` becomes "unit price". */
export function spellName(name: string): string {
  const parts = splitName(name)
  return (parts.length > 0 ? parts.join(' ') : name).toLowerCase()
}

function splitName(name: string): string[] {
  return name.replace(/(\p{Ll}|\p{N})(?=\p{Lu})/gu, '$1 ').match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Lower case, no accents, singular. */
function stem(word: string): string {
  const plain = word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  if (plain.length <= 3) return plain
  if (plain.endsWith('ies')) return `${plain.slice(0, -3)}y`
  if (/(s|x|z|ch|sh)es$/.test(plain)) return plain.slice(0, -2)
  return plain.endsWith('s') && !/(ss|us|is)$/.test(plain) ? plain.slice(0, -1) : plain
}

/** Words with the same meaning in tables and questions; the first of each row replaces the others. */
const synonyms = [
  ['customer', 'client', 'buyer', 'who'],
  ['product', 'article'],
  ['invoice', 'order'],
  ['price', 'cost', 'expensive', 'cheap', 'cheapest'],
  ['quantity', 'unit'],
]
const meanings = new Map(synonyms.flatMap((row) => row.map((each) => [each, row[0]])))

export function isSameWord(one: string, other: string): boolean {
  return one === other || (meanings.get(one) ?? one) === (meanings.get(other) ?? other)
}

/** For example `1,234.5`; whole numbers have no decimal places, others have two. */
export function formatNumber(value: number): string {
  const digits = Number.isInteger(value) ? 0 : 2
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

/** `a, b and c`. */
export function joinWithAnd(items: readonly string[]): string {
  if (items.length < 2) return items.join('')
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The first item of the least cost; undefined if there is none of a finite cost. */
export function pickLeast<T>(items: readonly T[], cost: (item: T) => number): T | undefined {
  const least = Math.min(...items.map(cost))
  return Number.isFinite(least) ? items.find((each) => cost(each) === least) : undefined
}
