/** Splits a text where a search matched. Pure. */
export interface MatchPiece {
  readonly text: string
  readonly isMatch: boolean
}

/** Splits a text at every match of the query, ignoring case. */
export function splitAtMatches(text: string, query: string): MatchPiece[] {
  if (query === '') return [{ text, isMatch: false }]
  const pieces: MatchPiece[] = []
  const lower = text.toLowerCase()
  // A letter whose lower case is longer would shift the matches.
  if (lower.length !== text.length) return [{ text, isMatch: false }]
  let from = 0
  const words = query.toLowerCase()
  for (let at = lower.indexOf(words); at >= 0; at = lower.indexOf(words, from)) {
    if (at > from) pieces.push({ text: text.slice(from, at), isMatch: false })
    from = at + words.length
    pieces.push({ text: text.slice(at, from), isMatch: true })
  }
  if (from < text.length || pieces.length === 0) pieces.push({ text: text.slice(from), isMatch: false })
  return pieces
}
