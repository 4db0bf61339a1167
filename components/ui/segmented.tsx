'use client'
/** A few words of which one holds, side by side: one stop for Tab, arrows choose. */
import type { KeyboardEvent } from 'react'
import { useTold } from './property'
import styles from './segmented.module.css'

export interface SegmentedProps {
  readonly id?: string
  readonly label: string
  readonly value: string
  onChange(value: string): void
  readonly options: readonly { readonly value: string; readonly label: string }[]
}

const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

export function Segmented({ id, label, value, onChange, options }: SegmentedProps) {
  const told = useTold()
  const at = options.findIndex((each) => each.value === value)
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const next = options[(Math.max(at, 0) + (steps[event.key] ?? 0) + options.length) % options.length]
    if (steps[event.key] === undefined || next === undefined) return
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
          className={styles.segment}
          onClick={() => onChange(each.value)}
        >
          {each.label}
        </button>
      ))}
    </div>
  )
}
