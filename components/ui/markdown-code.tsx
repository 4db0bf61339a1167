'use client'
/** A block of code as it was written, with its language and a button that copies it. */
import { CopyButton } from './copy-button'
import styles from './markdown.module.css'

export function MarkdownCode({ text, language }: { text: string; language: string }) {
  return (
    <figure className={styles.code}>
      <figcaption>
        <span>{language}</span>
        <CopyButton label="Copy code" text={() => text} />
      </figcaption>
      <pre tabIndex={0} role="region" aria-label={language === '' ? 'Code' : `Code, ${language}`}>
        <code>{text}</code>
      </pre>
    </figure>
  )
}
