/** Orders names by how similar they are to one that does not exist, so that the likely one comes first. */

/** Longer names are compared by their first characters. */
const compared = 64

/** The words, most similar first; equally similar ones keep their order. */
export function nearestFirst(word: string, words: readonly string[]): string[] {
  const wanted = plain(word)
  const ranked = words.map((each) => ({ each, distance: distance(wanted, plain(each)) }))
  return ranked.sort((a, b) => a.distance - b.distance).map(({ each }) => each)
}

/** Case and separators are the most common mistakes. */
function plain(word: string): string {
  return word
    .slice(0, compared)
    .toLowerCase()
    .replace(/[-_./\s]+/g, '_')
}

/** Levenshtein distance, one row at a time. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
