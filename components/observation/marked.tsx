/** A text with every match of a search marked. */
import { splitAtMatches } from './text-matches'

export function Marked({ text, query }: { text: string; query: string }) {
  if (query === '') return text
  return splitAtMatches(text, query).map(({ text: piece, isMatch }, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text never move
    isMatch ? <mark key={index}>{piece}</mark> : piece,
  )
}
