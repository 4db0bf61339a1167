'use client'
/** A menu behind a button: arrows move, Enter chooses, Escape or a click elsewhere closes. */
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { IconButton } from './button'
import { Icon } from './icon'
import styles from './menu.module.css'

export interface MenuItem {
  readonly label: string
  readonly icon?: string
  readonly danger?: boolean
  readonly hint?: ReactNode
  run(): void
}

export function Menu({
  label,
  items,
  icon = 'ellipsis',
  size = 'm',
}: {
  label: string
  items: readonly MenuItem[]
  icon?: string
  size?: 'm' | 's'
}) {
  const [open, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const id = useId()
  useEffect(() => {
    if (!open) return
    root.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus()
    const away = (event: PointerEvent) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false)
    }
    document.addEventListener('pointerdown', away, true)
    return () => document.removeEventListener('pointerdown', away, true)
  }, [open])
  const close = () => {
    setOpen(false)
    root.current?.querySelector<HTMLElement>('[aria-haspopup]')?.focus()
  }
  const keys = (event: KeyboardEvent<HTMLDivElement>) => {
    if (!open) return
    if (event.key === 'Escape') {
      event.stopPropagation()
      close()
      return
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="menuitem"]')]
    const at = all.findIndex((each) => each.matches(':focus'))
    all[(at + step + all.length) % all.length]?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys of button and items bubble to here
    <div ref={root} className={styles.root} onKeyDown={keys}>
      <IconButton
        icon={icon}
        label={label}
        size={size}
        pressed={open || undefined}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      />
      {open && (
        <div role="menu" id={id} aria-label={label} className={styles.menu}>
          {items.map((each) => (
            <button
              key={each.label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              data-danger={each.danger || undefined}
              className={styles.item}
              onClick={() => {
                close()
                each.run()
              }}
            >
              {each.icon !== undefined && <Icon name={each.icon} size={14} />}
              <span>{each.label}</span>
              {each.hint}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
