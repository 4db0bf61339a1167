/**
 * Cuts a long text into pieces that are laid out separately, so that even a very long line is never laid out
 * as one. Pure.
 */
import { cutAt } from '#lib/spec/line'

export interface TextPiece {
  /** Its offset in the text, which identifies it. */
  readonly at: number
  readonly text: string
  /** How many line breaks it contains, to estimate its height. */
  readonly breaks: number
  /** It continues the last line of the piece before it. */
  readonly isContinued: boolean
}

/** The most characters in a piece: few enough to lay out in a millisecond or two. */
export const pieceLength = 4_000
/** The most lines in a piece: a line of one letter takes as long to lay out as a line of words. */
export const pieceLines = 200

/** How much of a text is drawn at once. */
export interface Portion {
  readonly chars: number
  readonly lines: number
}

/** Where a portion that begins at `from` ends. */
export function portionEnd(text: string, from: number, { chars, lines }: Portion): number {
  const most = from + chars < text.length ? cutAt(text, from + chars) : text.length
  const portion = text.slice(from, most)
  let end = -1
  for (let line = 0; line < lines; line++) {
    end = portion.indexOf('\n', end + 1)
    if (end < 0) return most
  }
  return from + end + 1
}

/** The pieces of the first `limit` characters; a line break between two pieces belongs to neither. */
export function textPieces(text: string, limit: number = text.length): TextPiece[] {
  const end = limit < text.length ? cutAt(text, limit) : text.length
  const pieces: TextPiece[] = []
  let isContinued = false
  for (let at = 0; at < end; ) {
    const { length, breaks, isAtLine } = firstPiece(text, at, end)
    const to = at + length
    pieces.push({ at, text: text.slice(at, to), breaks, isContinued })
    isContinued = !isAtLine
    at = isAtLine ? to + 1 : to
    if (isAtLine && at === end) pieces.push({ at, text: '', breaks: 0, isContinued: false })
  }
  return pieces
}

/** Where the piece at `at` ends: after a whole line if possible; a line longer than a piece is cut. */
function firstPiece(text: string, at: number, end: number): Pick<TextPiece, 'breaks'> & PieceEnd {
  const isLast = end - at <= pieceLength
  const most = isLast ? end : cutAt(text, at + pieceLength)
  // Only the piece is searched for line breaks, not the whole text after it.
  const near = text.slice(at, isLast ? end : most + 1)
  let [lineEnd, found] = [-1, 0]
  for (let next = near.indexOf('\n'); next >= 0 && found < pieceLines; next = near.indexOf('\n', next + 1)) {
    lineEnd = next
    found += 1
  }
  const isWhole = isLast && found < pieceLines
  if (isWhole || lineEnd <= 0) return { length: most - at, breaks: found, isAtLine: false }
  return { length: lineEnd, breaks: found - 1, isAtLine: true }
}

interface PieceEnd {
  readonly length: number
  /** It ends before a line break. */
  readonly isAtLine: boolean
}
