'use client'
/** The rows of a menu: arrows, Home, End and first letters move, Enter chooses, Escape closes. */
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { Kbd } from './bits'
import { Icon } from './icon'
import { keyText } from './key-text'
import { Line } from './line'
import styles from './menu.module.css'
import { useIsMac } from './use-is-mac'

export interface MenuItem {
  readonly label: string
  readonly icon?: string
  /** In the notation of commands: `Mod+D`. */
  readonly keys?: string
  readonly danger?: boolean
  /** One line below the label that says what the choice does. */
  readonly help?: string
  readonly hint?: ReactNode
  /** Has a hairline above it. */
  readonly beginsGroup?: boolean
  readonly disabled?: boolean
  run(): void
}

/**
 * Takes the focus when it appears. `onClose` is called before the item runs, so that the item may move the
 * focus.
 */
export function MenuList({
  id,
  label,
  items,
  onClose,
}: {
  id?: string
  label: string
  items: readonly MenuItem[]
  onClose(): void
}) {
  const list = useRef<HTMLDivElement>(null)
  const isMac = useIsMac()
  useEffect(() => rowsOf(list.current)[0]?.focus(), [])
  const keys = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault()
      event.stopPropagation()
      onClose()
      return
    }
    const rows = rowsOf(event.currentTarget)
    const next = stepTo(rows, event.key)
    if (next === undefined) return
    event.preventDefault()
    event.stopPropagation()
    next.focus()
  }
  return (
    <div ref={list} role="menu" id={id} aria-label={label} className={styles.list} onKeyDown={keys}>
      {items.map((each) => (
        <button
          key={`${each.icon} ${each.label}`}
          type="button"
          role="menuitem"
          tabIndex={-1}
          disabled={each.disabled}
          data-danger={each.danger || undefined}
          data-begins={each.beginsGroup || undefined}
          data-help={each.help === undefined ? undefined : ''}
          aria-keyshortcuts={each.keys?.replace('Mod', isMac ? 'Meta' : 'Control')}
          className={styles.item}
          // A menu opened by a key may appear under a resting pointer, which chooses nothing.
          onPointerMove={({ currentTarget }) => {
            if (currentTarget !== document.activeElement) currentTarget.focus()
          }}
          onClick={() => {
            onClose()
            each.run()
          }}
        >
          {each.icon !== undefined && <Icon name={each.icon} size={14} />}
          <span>
            <Line text={each.label} />
            {each.help !== undefined && <span className={styles.help}>{each.help}</span>}
          </span>
          {each.hint}
          {each.keys !== undefined && <Kbd>{keyText(each.keys, isMac)}</Kbd>}
        </button>
      ))}
    </div>
  )
}

function rowsOf(list: HTMLElement | null): HTMLElement[] {
  return list === null ? [] : [...list.querySelectorAll<HTMLElement>('[role="menuitem"]:not(:disabled)')]
}

function stepTo(rows: readonly HTMLElement[], key: string): HTMLElement | undefined {
  const at = rows.findIndex((each) => each.matches(':focus'))
  switch (key) {
    case 'ArrowDown':
      return rows[(at + 1) % rows.length]
    case 'ArrowUp':
      return rows[(at <= 0 ? rows.length : at) - 1]
    case 'Home':
      return rows[0]
    case 'End':
      return rows.at(-1)
    default: {
      // A letter goes to the next row that begins with it; no other key moves the choice.
      if (key.length !== 1) return undefined
      const from = [...rows.slice(at + 1), ...rows.slice(0, at + 1)]
      return from.find((each) => each.textContent?.trim().toLowerCase().startsWith(key.toLowerCase()))
    }
  }
}
