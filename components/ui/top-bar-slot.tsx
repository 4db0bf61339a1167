'use client'
/**
 * Places in the top bar that a page fills: `start` comes after the navigation; at the right, `tools` comes
 * before the search and `end` after it. In a window of one column, the page's actions are in the bar's menu.
 */
import { createContext, type ReactNode, useContext, useEffect } from 'react'
import { createPortal } from 'react-dom'
import type { MenuItem } from './menu-list'
import styles from './top-bar-slot.module.css'

export type TopBarPlace = 'start' | 'tools' | 'end'

/** The elements of the bar that hold what pages put there; null until the bar is rendered. */
export const TopBarContext = createContext<Readonly<Record<TopBarPlace, HTMLElement | null>>>({
  start: null,
  tools: null,
  end: null,
})

/** Puts the page's actions into the bar's menu. */
export const BarMenuContext = createContext<(items: readonly MenuItem[]) => void>(() => undefined)

export function TopBarSlot({ at, children }: { at: TopBarPlace; children: ReactNode }) {
  const place = useContext(TopBarContext)[at]
  return place === null ? null : createPortal(children, place)
}

const noItems: readonly MenuItem[] = []

/** The page's actions for the bar's menu, which is shown where the bar has no room for buttons. */
export function useBarMenu(items: readonly MenuItem[]): void {
  const put = useContext(BarMenuContext)
  useEffect(() => put(items))
  useEffect(() => () => put(noItems), [put])
}

/** The vertical hairline between groups of the bar. */
export function BarRule() {
  return <span className={styles.rule} aria-hidden="true" />
}
