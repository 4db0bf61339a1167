'use client'
/** A form within a form: its name, and its fields indented behind a guide line, like the rows of a tree. */
import { type ReactNode, useId } from 'react'
import styles from './nested.module.css'

export interface NestedProps {
  readonly label: string
  readonly hint?: string
  readonly error?: string
  /** Shown at the right of the name. */
  readonly end?: ReactNode
  readonly children: ReactNode
}

export function Nested({ label, hint = '', error, end, children }: NestedProps) {
  const id = useId()
  const told = error ?? hint
  return (
    <div
      role="group"
      aria-label={label}
      aria-describedby={told === '' ? undefined : id}
      className={styles.nested}
    >
      <div className={styles.head}>
        <span className={styles.label}>{label}</span>
        {end}
      </div>
      {told !== '' && (
        <p id={id} className={error === undefined ? styles.hint : styles.error} role={error && 'alert'}>
          {told}
        </p>
      )}
      <div className={styles.body}>{children}</div>
    </div>
  )
}
