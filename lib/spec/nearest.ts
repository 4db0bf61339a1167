/** Orders names by how similar they are to one that does not exist, so that the likely one comes first. */

/** Longer names are compared by their first characters. */
const compared = 64

/** The words, most similar first; equally similar ones keep their order. */
export function nearestFirst(word: string, words: readonly string[]): string[] {
  return ranked(word, words).map(({ each }) => each)
}

/**
 * The words that could be meant: at most `most`, and only those that differ in less than half of their characters.
 * `isClear` says whether the first is the only one that is so near.
 */
export function likelyNames(
  word: string,
  words: readonly string[],
  most = 3,
): { readonly names: string[]; readonly isClear: boolean } {
  const near = ranked(word, words).filter(({ distance: apart }) => apart * 2 < Math.max(word.length, 2))
  const [first, second] = near
  const isClear =
    first !== undefined &&
    first.distance * 3 <= Math.max(word.length, 3) &&
    (second === undefined || first.distance < second.distance)
  return { names: near.slice(0, most).map(({ each }) => each), isClear }
}

function ranked(word: string, words: readonly string[]) {
  const wanted = plain(word)
  return words
    .map((each) => ({ each, distance: distance(wanted, plain(each)) }))
    .sort((a, b) => a.distance - b.distance)
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
