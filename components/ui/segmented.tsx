'use client'
/** A few choices side by side, of which one is selected: one tab stop, and arrows select. */
import type { KeyboardEvent } from 'react'
import { useFieldHelp } from './property'
import styles from './segmented.module.css'

export interface SegmentedProps<T extends string> {
  readonly id?: string
  readonly label: string
  readonly value: T
  onChange(value: T): void
  readonly options: readonly { readonly value: T; readonly label: string; readonly title?: string }[]
  /** `s` is 24 px high. */
  readonly size?: 'm' | 's'
  /** As wide as the field that holds it; otherwise as wide as its text. */
  readonly isField?: boolean
}

const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

export function Segmented<T extends string>({
  id,
  label,
  value,
  onChange,
  options,
  size = 'm',
  isField = false,
}: SegmentedProps<T>) {
  const told = useFieldHelp()
  const at = options.findIndex((each) => each.value === value)
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = event.altKey || event.metaKey || event.ctrlKey ? undefined : steps[event.key]
    const next = options[(Math.max(at, 0) + (step ?? 0) + options.length) % options.length]
    if (step === undefined || next === undefined) return
    event.preventDefault()
    onChange(next.value)
    event.currentTarget.querySelector<HTMLElement>(`[data-value="${CSS.escape(next.value)}"]`)?.focus()
  }
  return (
    <div
      role="radiogroup"
      id={id}
      aria-label={label}
      aria-describedby={told.describedBy}
      className={styles.segmented}
      data-size={size}
      data-field={isField || undefined}
      onKeyDown={move}
    >
      {options.map((each, index) => (
        <button
          key={each.value}
          type="button"
          role="radio"
          data-value={each.value}
          aria-checked={each.value === value}
          tabIndex={index === Math.max(at, 0) ? 0 : -1}
          title={each.title}
          className={styles.segment}
          onClick={() => onChange(each.value)}
        >
          {each.label}
        </button>
      ))}
    </div>
  )
}
