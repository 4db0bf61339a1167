'use client'
/**
 * A menu at a point, in the browser's top layer. A choice, Escape or a press outside closes it and gives the
 * focus back.
 */
import { useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import styles from './menu.module.css'
import { type MenuItem, MenuList } from './menu-list'
import { placeAt } from './place-at'

export interface ContextMenuProps {
  readonly at: { readonly x: number; readonly y: number }
  readonly items: readonly MenuItem[]
  readonly label?: string
  onClose(): void
}

export function ContextMenu({ at, items, label = 'Actions', onClose }: ContextMenuProps) {
  const panel = useRef<HTMLDivElement>(null)
  const cameFrom = useRef<Element | null>(null)
  useLayoutEffect(() => {
    cameFrom.current = document.activeElement
    panel.current?.showPopover()
    if (panel.current !== null) placeAt(panel.current, at)
  }, [at])
  useEffect(() => {
    const away = ({ target }: PointerEvent) => {
      if (target instanceof Node && !panel.current?.contains(target)) onClose()
    }
    document.addEventListener('pointerdown', away, true)
    window.addEventListener('blur', onClose)
    window.addEventListener('resize', onClose)
    return () => {
      document.removeEventListener('pointerdown', away, true)
      window.removeEventListener('blur', onClose)
      window.removeEventListener('resize', onClose)
    }
  }, [onClose])
  const close = useCallback(() => {
    if (cameFrom.current instanceof HTMLElement && cameFrom.current.isConnected)
      cameFrom.current.focus({ preventScroll: true })
    onClose()
  }, [onClose])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the browser's own menu must not open over this one
    <div
      ref={panel}
      popover="manual"
      className={styles.context}
      onContextMenu={(event) => event.preventDefault()}
    >
      <MenuList label={label} items={items} onClose={close} />
    </div>
  )
}
