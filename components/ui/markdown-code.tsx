'use client'
/** A block of code as it was written, with its language and a button that copies it. */
import { CopyButton } from './copy-button'
import { LongText } from './long-text'
import styles from './markdown.module.css'

export interface MarkdownCodeProps {
  readonly text: string
  readonly language: string
  /** It is the beginning of more, and so no copy of it is offered. */
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
