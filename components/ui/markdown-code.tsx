'use client'
/** A code block with its source text, its language and a copy button; in colours where the language is known. */
import { useEffect, useState } from 'react'
import { join } from './button'
import colours from './code-colours.module.css'
import { type ColouredPiece, colouredLanguage } from './coloured-languages'
import { CopyButton } from './copy-button'
import { LongText } from './long-text'
import styles from './markdown.module.css'

export interface MarkdownCodeProps {
  readonly text: string
  readonly language: string
  /** Only the beginning of the block is shown, so it offers no copy. */
  readonly isCut?: boolean
}

export function MarkdownCode({ text, language, isCut = false }: MarkdownCodeProps) {
  const pieces = useColours(text, language)
  return (
    <figure className={styles.code}>
      <figcaption>
        <span>{language}</span>
        {!isCut && <CopyButton label="Copy code" text={() => text} />}
      </figcaption>
      <div
        className={join(styles.codeBody, colours.code)}
        tabIndex={0}
        role="region"
        aria-label={language === '' ? 'Code' : `Code, ${language}`}
      >
        {pieces === null ? (
          <LongText text={text} />
        ) : (
          <pre className={styles.coloured}>
            {pieces.map(({ text: piece, classes }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text never move
              <span key={index} className={classes || undefined}>
                {piece}
              </span>
            ))}
          </pre>
        )}
      </div>
    </figure>
  )
}

/** Milliseconds without a change, so that code is not parsed anew while it streams. */
const rest = 150

/** The text in coloured pieces; null while it stays plain. */
function useColours(text: string, language: string): readonly ColouredPiece[] | null {
  const [coloured, setColoured] = useState<{ text: string; pieces: readonly ColouredPiece[] } | null>(null)
  const known = colouredLanguage(language, text)
  useEffect(() => {
    if (known === undefined) return
    let isOver = false
    const timer = setTimeout(async () => {
      const { colourCode } = await import('./code-colours')
      if (!isOver) setColoured({ text, pieces: colourCode(text, known) })
    }, rest)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [text, known])
  return coloured?.text === text ? coloured.pieces : null
}
