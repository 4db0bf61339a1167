'use client'
/**
 * A text of any length, shown exactly. It is drawn in pieces, only the visible ones are laid out, and a very
 * long text is drawn one part at a time.
 */
import { memo, type ReactNode, useMemo, useState } from 'react'
import { visible } from '#lib/spec/visible'
import { Button, join } from './button'
import { CopyButton } from './copy-button'
import styles from './long-text.module.css'
import { type Portion, pieceLength, portionEnd, type TextPiece, textPieces } from './text-pieces'

export interface LongTextProps {
  readonly text: string
  readonly className?: string
  /** Characters drawn before the person asks for more. */
  readonly first?: number
  /** Shows invisible and direction-changing characters by their code numbers. */
  readonly showsMarks?: boolean
  /** Draws a piece in another way than as plain text. Must be a stable function. */
  readonly draw?: (piece: TextPiece) => ReactNode
  /** Is in the tab order, so that it can be scrolled by keyboard. */
  readonly isScrolled?: boolean
}

const usual = 20_000
/** Lines drawn before the person asks for more. */
const firstLines = 2_000
/** How much each request for more adds: no more lines than a browser can lay out in a moment. */
const more: Portion = { chars: 500_000, lines: 50_000 }

/** The most pieces drawn at once: a browser cannot lay out more than about 30 million pixels of height. */
const mostPieces = 2_500

export function LongText({ text, className, first = usual, showsMarks, draw, isScrolled }: LongTextProps) {
  /** Where the latest portion begins. */
  const [from, setFrom] = useState(0)
  const end = useMemo(
    () => portionEnd(text, from, from === 0 ? { chars: first, lines: firstLines } : more),
    [text, from, first],
  )
  const next = useMemo(() => portionEnd(text, end, more), [text, end])
  const pieces = useMemo(() => textPieces(text, end), [text, end])
  const way = draw ?? (showsMarks === true ? drawMarked : drawPlain)
  return (
    <>
      <pre className={join(styles.text, className)} {...(isScrolled && { tabIndex: 0 })}>
        {pieces.map((each, index) => (
          <Piece
            key={each.at}
            piece={each}
            isOnly={pieces.length === 1}
            isLast={index === pieces.length - 1}
            draw={way}
          />
        ))}
      </pre>
      {next > end && pieces.length >= mostPieces && (
        <div className={styles.full}>
          {(text.length - end).toLocaleString('en-US')} more characters are not shown.
          <CopyButton isWide label="Copy all" text={() => text} />
        </div>
      )}
      {next > end && pieces.length < mostPieces && (
        <Button size="s" className={styles.more} onClick={() => setFrom(end)}>
          Show {(next - end).toLocaleString('en-US')} more characters
        </Button>
      )}
    </>
  )
}

interface PieceProps {
  readonly piece: TextPiece
  readonly isOnly: boolean
  readonly isLast: boolean
  readonly draw: (piece: TextPiece) => ReactNode
}

const charsInLine = 100

const Piece = memo(
  function Piece({ piece, isOnly, isLast, draw }: PieceProps) {
    if (isOnly) return draw(piece)
    const lines = 1 + Math.max(piece.breaks, Math.floor(piece.text.length / charsInLine))
    return (
      <span className={styles.piece} style={{ containIntrinsicBlockSize: `auto ${lines}lh` }}>
        {draw(piece)}
        {/* A browser does not draw a line break at the end of a block, so an empty line before the next
            piece would be lost. */}
        {!isLast && piece.text.endsWith('\n') && '\n'}
      </span>
    )
  },
  (a, b) =>
    a.draw === b.draw &&
    a.isOnly === b.isOnly &&
    a.isLast === b.isLast &&
    a.piece.isContinued === b.piece.isContinued &&
    a.piece.text === b.piece.text,
)

function drawPlain({ text }: TextPiece): ReactNode {
  // Without a character, a piece would have no height.
  return text === '' ? '\n' : text
}

function drawMarked({ text }: TextPiece): ReactNode {
  return text === '' ? '\n' : visible(text)
}

/** Text that usually takes a line or two: a paragraph, or a `LongText` when it is long. */
export function Words({ text, className }: { text: string; className?: string }) {
  if (text.length > pieceLength) return <LongText text={text} className={className} />
  return <p className={className}>{text}</p>
}
