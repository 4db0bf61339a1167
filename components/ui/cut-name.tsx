/**
 * A name on one line, cut in its middle if there is no room for it. The letters on the screen are drawn by the style
 * sheet, so that the name stays one text for screen readers and for the search of the browser.
 */
import styles from './cut-name.module.css'
import { namePieces } from './name-pieces'

export interface CutNameProps {
  readonly name: string
  /** Of what is drawn. `data-brief` on it has the name for two or three lines of large letters. */
  readonly className?: string | undefined
}

export function CutName({ name, className = '' }: CutNameProps) {
  const pieces = namePieces(name)
  if (pieces === undefined) return <span className={`${styles.whole} ${className}`}>{name}</span>
  const { head, tail, brief } = pieces
  return (
    <span className={styles.place}>
      <span className={styles.text}>{name}</span>
      <span
        className={`${styles.pieces} ${className}`}
        data-head={head}
        data-tail={tail}
        data-brief={brief}
        aria-hidden="true"
      />
    </span>
  )
}
