'use client'
/** A code block with its source text, its language and a copy button. */
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
  return (
    <figure className={styles.code}>
      <figcaption>
        <span>{language}</span>
        {!isCut && <CopyButton label="Copy code" text={() => text} />}
      </figcaption>
      <div
        className={styles.codeBody}
        tabIndex={0}
        role="region"
        aria-label={language === '' ? 'Code' : `Code, ${language}`}
      >
        <LongText text={text} />
      </div>
    </figure>
  )
}
