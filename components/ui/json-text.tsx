/** Shows JSON with keys, strings and numbers in different colours; the text itself is not changed. */
import { Fragment, type ReactNode } from 'react'
import styles from './json-text.module.css'
import { LongText } from './long-text'
import type { TextPiece } from './text-pieces'

// A string in a text that is cut off may have no closing quote.
const token = /("(?:[^"\\]|\\.)*(?:"|\\?$))(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

export function JsonText({ text }: { text: string }) {
  return <LongText text={text} className={styles.code} draw={draw} isScrolled />
}

/** A text that is no JSON, such as a prompt, in the same frame. */
export function PlainText({ text }: { text: string }) {
  return <LongText text={text} className={styles.code} isScrolled />
}

/**
 * In formatted JSON, only a line with a long string is longer than a piece, so a continued piece is inside
 * that string.
 */
function draw({ text, isContinued }: TextPiece): ReactNode {
  if (isContinued) return <span data-kind="string">{text}</span>
  return tokens(text).map(({ at, kind, value }) =>
    kind === null ? (
      <Fragment key={at}>{value}</Fragment>
    ) : (
      <span key={at} data-kind={kind}>
        {value}
      </span>
    ),
  )
}

interface Token {
  readonly at: number
  readonly kind: 'key' | 'string' | 'literal' | 'number' | null
  readonly value: string
}

function tokens(text: string): Token[] {
  const found: Token[] = []
  let end = 0
  for (const match of text.matchAll(token)) {
    const at = match.index
    if (at > end) found.push({ at: end, kind: null, value: text.slice(end, at) })
    const [whole, string, colon, literal] = match
    if (string !== undefined) {
      found.push({ at, kind: colon === undefined ? 'string' : 'key', value: string })
      if (colon !== undefined) found.push({ at: at + string.length, kind: null, value: colon })
    } else found.push({ at, kind: literal === undefined ? 'number' : 'literal', value: whole })
    end = at + whole.length
  }
  if (end < text.length) found.push({ at: end, kind: null, value: text.slice(end) })
  return found
}
