'use client'
/** One row of a property list: label 84 wide, its control, and beneath it what is wrong, or a hint. */
import { createContext, type ReactNode, useContext, useId, useMemo } from 'react'
import { IconButton } from './button'
import styles from './field.module.css'

export interface FieldHelp {
  /** The id of the hint or the error under the control. */
  readonly describedBy: string | undefined
  readonly isInvalid: boolean
}

const ToldContext = createContext<FieldHelp>({ describedBy: undefined, isInvalid: false })

/** What the row says of its control, tied to it by `aria-describedby`; the controls of this room ask by themselves. */
export function useTold(): FieldHelp {
  return useContext(ToldContext)
}

export interface PropertyProps {
  label: string
  htmlFor?: string
  error?: string
  hint?: ReactNode
  children: ReactNode
  /** The control takes the full width under its label. */
  wide?: boolean
  /** Takes a setting away; present where one stands that differs from its default. */
  reset?: { readonly label: string; run(): void }
  /** Stands at the right of a wide row's label. */
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
        <ToldContext value={told}>{children}</ToldContext>
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
