'use client'
/** A panel in the browser's top layer, attached to the element that opened it, so that nothing clips it. */
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import styles from './popover.module.css'
import { useLatest } from './use-latest'

export interface PopoverProps {
  /** The element it is attached to; the panel opens below it, or above it where there is more room. */
  readonly anchor: RefObject<HTMLElement | null>
  onClose(): void
  /** Pixels. Default: the width of the anchor, at least 200. */
  readonly width?: number
  readonly children: ReactNode
}

const gap = 4
const edge = 8
const least = 200

export function Popover({ anchor, onClose, width, children }: PopoverProps) {
  const panel = useRef<HTMLDivElement>(null)
  const close = useLatest(onClose)
  useLayoutEffect(() => {
    const element = panel.current
    const place = () => {
      if (element !== null && anchor.current !== null) hang(element, anchor.current, width)
    }
    element?.showPopover()
    place()
    const observer = new ResizeObserver(place)
    if (element !== null) observer.observe(element)
    const scrolled = (event: Event) => {
      if (!(event.target instanceof Node) || !element?.contains(event.target)) place()
    }
    window.addEventListener('resize', place)
    window.addEventListener('scroll', scrolled, true)
    return () => {
      observer.disconnect()
      window.removeEventListener('resize', place)
      window.removeEventListener('scroll', scrolled, true)
    }
  }, [anchor, width])
  useEffect(() => {
    const away = ({ target }: PointerEvent) => {
      if (!(target instanceof Node)) return
      if (!panel.current?.contains(target) && !anchor.current?.contains(target)) close.current()
    }
    document.addEventListener('pointerdown', away, true)
    return () => document.removeEventListener('pointerdown', away, true)
  }, [anchor])
  return (
    <div ref={panel} popover="manual" className={styles.popover}>
      {children}
    </div>
  )
}

function hang(panel: HTMLElement, anchor: HTMLElement, width: number | undefined): void {
  const { left, top, bottom, width: own } = anchor.getBoundingClientRect()
  const wide = Math.min(width ?? Math.max(own, least), window.innerWidth - 2 * edge)
  const below = window.innerHeight - bottom - gap - edge
  const above = top - gap - edge
  const isBelow = below >= Math.min(panel.scrollHeight, 240) || below >= above
  const { style } = panel
  style.width = `${wide}px`
  style.maxHeight = `${Math.max(80, isBelow ? below : above)}px`
  style.left = `${Math.max(edge, Math.min(left, window.innerWidth - edge - wide))}px`
  style.top = isBelow ? `${bottom + gap}px` : 'auto'
  style.bottom = isBelow ? 'auto' : `${window.innerHeight - top + gap}px`
}
