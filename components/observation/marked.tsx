/** A text with what is looked for marked in it. */
import { piecesOf } from '#components/trace/trace-search'

export function Marked({ text, query }: { text: string; query: string }) {
  if (query === '') return text
  return piecesOf(text, query).map(({ text: piece, isMatch }, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text never move
    isMatch ? <mark key={index}>{piece}</mark> : piece,
  )
}
