/**
 * Ranks what can be found by typing: the start of a label first, then its words, then keywords, then all
 * other text. Letters in order are the last resort, because almost any long text contains them.
 */

export interface Findable {
  readonly label: string
  /** Other words that a person may search it by; each counts almost as much as a word of the label. */
  readonly keywords?: readonly string[]
  /** Everything else that is known of it; a match here counts least. */
  readonly text?: string
}

/** Items that match, best first; equal matches keep their order. */
export function rankFound<T>(items: readonly T[], query: string, read: (item: T) => Findable): T[] {
  const asked = plain(query)
  if (asked === '') return [...items]
  const found = sortByScore(items, (item) => matchScore(read(item), asked))
  return found.length > 0 ? found : sortByScore(items, (item) => (isFuzzyMatch(read(item), asked) ? 1 : 0))
}

/** The items most like a query that nothing matched, at most `most`. */
export function nearestTo<T>(
  items: readonly T[],
  query: string,
  { read, most }: { read(item: T): Findable; most: number },
): T[] {
  const asked = pairsOf(plain(query))
  return sortByScore(items, (item) => {
    const { label, keywords = [] } = read(item)
    const words = [...plain(label).split(' '), ...keywords.map(plain)]
    const best = Math.max(...words.map((word) => likeness(asked, pairsOf(word))))
    return best >= leastLikeness ? best : 0
  }).slice(0, most)
}

const leastLikeness = 0.35

/** `sql.execute` is found by "sql execute", and the other way round. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[\s._/-]+/g, ' ')
    .trim()
}

function sortByScore<T>(items: readonly T[], score: (item: T) => number): T[] {
  return items
    .map((item) => ({ item, score: score(item) }))
    .filter((each) => each.score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ item }) => item)
}

/** 0 unless every word of the query is found. */
function matchScore({ label, keywords = [], text = '' }: Findable, query: string): number {
  const name = plain(label)
  if (name.startsWith(query)) return 6
  const words = query.split(' ')
  const startsIn = (where: string) => words.every((word) => where.includes(` ${word}`))
  if (startsIn(` ${name}`)) return 5
  const known = ` ${name} ${keywords.map(plain).join(' ')}`
  if (startsIn(known)) return 4 + earliness(keywords, query)
  if (words.every((word) => name.includes(word))) return 3
  const all = `${known} ${plain(text)}`
  if (startsIn(all)) return 2
  return words.every((word) => all.includes(word)) ? 1 : 0
}

/** Below 1: the earlier a keyword is in its list, the better it says what the item is for. */
function earliness(keywords: readonly string[], query: string): number {
  const at = keywords.findIndex((each) => plain(each).startsWith(query))
  return at < 0 ? 0 : 1 / (at + 2)
}

/** Whether the label, or one keyword, has all letters of the query in their order. */
function isFuzzyMatch({ label, keywords = [] }: Findable, query: string): boolean {
  return hasInOrder(plain(label), query) || keywords.some((each) => hasInOrder(plain(each), query))
}

function hasInOrder(text: string, query: string): boolean {
  let at = 0
  for (const sign of query.replaceAll(' ', '')) {
    at = text.indexOf(sign, at) + 1
    if (at === 0) return false
  }
  return true
}

/** The pairs of neighbouring letters, with the word's edges. */
function pairsOf(word: string): Set<string> {
  const padded = ` ${word} `
  return new Set(Array.from({ length: padded.length - 1 }, (_, index) => padded.slice(index, index + 2)))
}

/** Between 0, nothing in common, and 1, the same pairs. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let both = 0
  for (const each of a) if (b.has(each)) both += 1
  return (2 * both) / (a.size + b.size)
}
