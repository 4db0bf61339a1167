/** JSON to read: keys, strings and numbers told apart by colour, nothing changed in the text. */
import { Fragment } from 'react'
import styles from './json-text.module.css'

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

export function JsonText({ text }: { text: string }) {
  return (
    <pre className={styles.code} tabIndex={0}>
      {pieces(text).map(({ at, kind, value }) =>
        kind === null ? (
          <Fragment key={at}>{value}</Fragment>
        ) : (
          <span key={at} data-kind={kind}>
            {value}
          </span>
        ),
      )}
    </pre>
  )
}

interface Piece {
  readonly at: number
  readonly kind: 'key' | 'string' | 'literal' | 'number' | null
  readonly value: string
}

function pieces(text: string): Piece[] {
  const found: Piece[] = []
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
