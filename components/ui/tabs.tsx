'use client'
/**
 * A row of tabs: arrows move, and the selected one has a line in ink below it. The caller renders the panels.
 */
import type { KeyboardEvent } from 'react'
import styles from './tabs.module.css'

export interface Tab {
  readonly id: string
  readonly label: string
  readonly count?: number
}

export function Tabs({
  tabs,
  value,
  onChange,
  label,
}: {
  tabs: readonly Tab[]
  value: string
  onChange(id: string): void
  label: string
}) {
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const at = tabs.findIndex((each) => each.id === value)
    const next = tabs[(at + step + tabs.length) % tabs.length]
    if (next === undefined) return
    onChange(next.id)
    event.currentTarget.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus()
  }
  return (
    <div role="tablist" aria-label={label} className={styles.tabs} onKeyDown={move}>
      {tabs.map((each) => (
        <button
          key={each.id}
          type="button"
          role="tab"
          data-tab={each.id}
          aria-selected={each.id === value}
          tabIndex={each.id === value ? 0 : -1}
          className={styles.tab}
          onClick={() => onChange(each.id)}
        >
          {each.label}
          {each.count !== undefined && <span className={styles.count}>{each.count}</span>}
        </button>
      ))}
    </div>
  )
}
