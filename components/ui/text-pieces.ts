/** Cuts a long text into pieces that are laid out each by itself: no line of it, however long, is ever one. Pure. */
import { cutAt } from '#lib/spec/line'

export interface TextPiece {
  /** Where it begins in the text: its identity. */
  readonly at: number
  readonly text: string
  /** How many line breaks stand in it, for a guess at its height. */
  readonly breaks: number
  /** It goes on in the line of the piece before it. */
  readonly isContinued: boolean
}

/** Characters of a piece at most: little enough to be laid out in a millisecond or two. */
export const pieceLength = 4_000

/** The pieces of the first `limit` characters; a line break between two pieces belongs to neither. */
export function textPieces(text: string, limit: number = text.length): TextPiece[] {
  const end = limit < text.length ? cutAt(text, limit) : text.length
  const pieces: TextPiece[] = []
  let isContinued = false
  for (let at = 0; at < end; ) {
    const rest = end - at
    const most = rest <= pieceLength ? end : cutAt(text, at + pieceLength)
    // A piece of whole lines is preferred; a line longer than a piece is cut. Only the piece itself is searched.
    const lineEnd = most === end ? -1 : at + text.slice(at, most + 1).lastIndexOf('\n')
    const isAtLine = lineEnd > at
    const to = isAtLine ? lineEnd : most
    const piece = text.slice(at, to)
    pieces.push({ at, text: piece, breaks: breaksIn(piece), isContinued })
    isContinued = !isAtLine
    at = isAtLine ? to + 1 : to
    if (isAtLine && at === end) pieces.push({ at, text: '', breaks: 0, isContinued: false })
  }
  return pieces
}

function breaksIn(text: string): number {
  let breaks = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) breaks += 1
  return breaks
}
