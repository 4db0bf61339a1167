'use client'
/** A text of any length, to the letter: drawn in pieces of which only those in view are laid out, and of a very long one a part at a time. */
import { memo, type ReactNode, useMemo, useState } from 'react'
import { visible } from '#lib/spec/visible'
import { Button, join } from './button'
import styles from './long-text.module.css'
import { pieceLength, type TextPiece, textPieces } from './text-pieces'

export interface LongTextProps {
  readonly text: string
  readonly className?: string
  /** Characters drawn before more is asked for. */
  readonly first?: number
  /** Shows by its number what hides in the text or turns its letters round. */
  readonly showsMarks?: boolean
  /** Draws a piece in other ways than as plain text; the same function for good. */
  readonly draw?: (piece: TextPiece) => ReactNode
  /** Stands in the tab order, so that it can be scrolled by keys. */
  readonly isScrolled?: boolean
}

const usual = 20_000
/** How much more is drawn when a person asks for more: so many lines as a browser can still stack. */
const more = 500_000

export function LongText({ text, className, first = usual, showsMarks, draw, isScrolled }: LongTextProps) {
  const [shown, setShown] = useState(first)
  const pieces = useMemo(() => textPieces(text, shown), [text, shown])
  const way = draw ?? (showsMarks === true ? drawMarked : drawPlain)
  const left = text.length - shown
  return (
    <>
      <pre className={join(styles.text, className)} {...(isScrolled && { tabIndex: 0 })}>
        {pieces.map((each) => (
          <Piece key={each.at} piece={each} isOnly={pieces.length === 1} draw={way} />
        ))}
      </pre>
      {left > 0 && (
        <Button size="s" className={styles.more} onClick={() => setShown(shown + more)}>
          Show {Math.min(left, more).toLocaleString('en-US')} more characters
        </Button>
      )}
    </>
  )
}

interface PieceProps {
  readonly piece: TextPiece
  readonly isOnly: boolean
  readonly draw: (piece: TextPiece) => ReactNode
}

const lineHeight = 17
const charsInLine = 100

const Piece = memo(
  function Piece({ piece, isOnly, draw }: PieceProps) {
    if (isOnly) return draw(piece)
    const lines = 1 + Math.max(piece.breaks, Math.floor(piece.text.length / charsInLine))
    return (
      <span className={styles.piece} style={{ containIntrinsicBlockSize: `auto ${lines * lineHeight}px` }}>
        {draw(piece)}
      </span>
    )
  },
  (a, b) =>
    a.draw === b.draw &&
    a.isOnly === b.isOnly &&
    a.piece.isContinued === b.piece.isContinued &&
    a.piece.text === b.piece.text,
)

function drawPlain({ text }: TextPiece): ReactNode {
  // A piece without letters would have no height.
  return text === '' ? '\n' : text
}

function drawMarked({ text }: TextPiece): ReactNode {
  return text === '' ? '\n' : visible(text)
}

/** Words that are most often a line or two: a paragraph, unless they are long. */
export function Words({ text, className }: { text: string; className?: string }) {
  if (text.length > pieceLength) return <LongText text={text} className={className} />
  return <p className={className}>{text}</p>
}
