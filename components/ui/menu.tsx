'use client'
/** A menu behind a button, in the browser's top layer, so that no region cuts it off. */
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
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
  const panel = useRef<HTMLDivElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    if (open && root.current !== null && panel.current !== null) hang(panel.current, root.current)
  }, [open])
  useEffect(() => {
    if (!open) return
    const away = (event: PointerEvent) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false)
    }
    const shut = () => setOpen(false)
    document.addEventListener('pointerdown', away, true)
    window.addEventListener('resize', shut)
    return () => {
      document.removeEventListener('pointerdown', away, true)
      window.removeEventListener('resize', shut)
    }
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
        <div ref={panel} popover="manual" className={styles.menu}>
          <MenuList id={id} label={label} items={items} onClose={close} />
        </div>
      )}
    </div>
  )
}

/** Opens the panel below the button with their right edges in line, or above it where there is more room. */
function hang(panel: HTMLElement, button: HTMLElement): void {
  panel.showPopover()
  const { right, top, bottom } = button.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = panel
  const { clientWidth, clientHeight } = document.documentElement
  const below = clientHeight - bottom - gap - edge
  const above = top - gap - edge
  const isBelow = height <= below || below >= above
  const left = Math.max(edge, Math.min(right - width, clientWidth - edge - width))
  panel.style.left = `${left}px`
  panel.style.maxHeight = `${Math.max(80, isBelow ? below : above)}px`
  panel.style.top = isBelow ? `${bottom + gap}px` : 'auto'
  panel.style.bottom = isBelow ? 'auto' : `${clientHeight - top + gap}px`
}

const gap = 4
const edge = 8
