'use client'
/** A menu behind a button. */
import { useEffect, useId, useRef, useState } from 'react'
import { Button, IconButton } from './button'
import styles from './menu.module.css'
import { type MenuItem, MenuList } from './menu-list'

export type { MenuItem }

export function Menu({
  label,
  items,
  icon = 'ellipsis',
  size = 'm',
  text,
}: {
  label: string
  items: readonly MenuItem[]
  icon?: string
  size?: 'm' | 's'
  /** Shown as text next to the icon. */
  text?: string
}) {
  const [open, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const id = useId()
  useEffect(() => {
    if (!open) return
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
  const opener = {
    size,
    pressed: open || undefined,
    'aria-haspopup': 'menu',
    'aria-expanded': open,
    'aria-controls': id,
    onClick: () => setOpen(!open),
  } as const
  return (
    <div ref={root} className={styles.root}>
      {text === undefined ? (
        <IconButton icon={icon} label={label} {...opener} />
      ) : (
        <Button variant="quiet" icon={icon} aria-label={label} {...opener}>
          {text}
        </Button>
      )}
      {open && (
        <div className={styles.menu}>
          <MenuList id={id} label={label} items={items} onClose={close} />
        </div>
      )}
    </div>
  )
}
