'use client'
/** One row of a property list: a label 84 px wide, its control, and below it an error or a hint. */
import { createContext, type ReactNode, useContext, useId, useMemo } from 'react'
import { IconButton } from './button'
import styles from './field.module.css'

export interface FieldHelp {
  /** The id of the hint or the error under the control. */
  readonly describedBy: string | undefined
  readonly isInvalid: boolean
}

const FieldHelpContext = createContext<FieldHelp>({ describedBy: undefined, isInvalid: false })

/**
 * The row's error or hint, which a control links by `aria-describedby`. The controls of this room call this
 * themselves.
 */
export function useFieldHelp(): FieldHelp {
  return useContext(FieldHelpContext)
}

export interface PropertyProps {
  label: string
  htmlFor?: string
  error?: string
  hint?: ReactNode
  children: ReactNode
  /** The control takes the full width under its label. */
  wide?: boolean
  /** Removes the setting; present when its value differs from the default. */
  reset?: { readonly label: string; run(): void }
  /** Shown at the right of a wide row's label. */
  end?: ReactNode
}

export function Property({ label, htmlFor, error, hint, children, wide, reset, end }: PropertyProps) {
  const own = useId()
  const hasHint = hint !== undefined && hint !== ''
  const isInvalid = error !== undefined
  const describedBy = isInvalid || hasHint ? `${own}-told` : undefined
  const told = useMemo(() => ({ describedBy, isInvalid }), [describedBy, isInvalid])
  return (
    <div className={styles.property} data-wide={wide || undefined}>
      <div className={styles.label}>
        <label htmlFor={htmlFor} title={label}>
          {label}
        </label>
        {reset !== undefined && (
          <IconButton
            icon="rotate-ccw"
            size="s"
            label={reset.label}
            className={styles.reset}
            onClick={reset.run}
          />
        )}
        {end}
      </div>
      <div className={styles.control}>
        <FieldHelpContext value={told}>{children}</FieldHelpContext>
      </div>
      {isInvalid && (
        <p id={describedBy} className={styles.error} role="alert">
          {error}
        </p>
      )}
      {!isInvalid && hasHint && (
        <p id={describedBy} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  )
}
