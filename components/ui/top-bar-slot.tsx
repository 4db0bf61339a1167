'use client'
/**
 * Places in the top bar that a page fills: `start` comes after the navigation; at the right, `tools` comes
 * before the search and `end` after it.
 */
import { createContext, type ReactNode, useContext } from 'react'
import { createPortal } from 'react-dom'
import styles from './top-bar-slot.module.css'

export type TopBarPlace = 'start' | 'tools' | 'end'

/** The elements of the bar that hold what pages put there; null until the bar is rendered. */
export const TopBarContext = createContext<Readonly<Record<TopBarPlace, HTMLElement | null>>>({
  start: null,
  tools: null,
  end: null,
})

export function TopBarSlot({ at, children }: { at: TopBarPlace; children: ReactNode }) {
  const place = useContext(TopBarContext)[at]
  return place === null ? null : createPortal(children, place)
}

/** The vertical hairline between groups of the bar. */
export function BarRule() {
  return <span className={styles.rule} aria-hidden="true" />
}
