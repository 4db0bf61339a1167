'use client'
/**
 * The rows as a tree with keyboard navigation: which row is active, and what keys and the menu do with it.
 */
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import type { Row } from './row'
import type { RowMenuProps } from './row-menu'
import { canOpen, keyAct } from './trace-keys'
import { findRow, rowAt, type TraceList } from './trace-list'
import type { Follow } from './use-follow'
import type { TraceLook } from './use-trace-look'

export interface UseGrid {
  readonly list: TraceList
  readonly follow: Follow
  readonly view: TraceLook
  readonly onSelect: ((row: Row) => void) | undefined
  /** Opens a row next to the table; given where the table is too low. */
  readonly onBeside: ((row: Row) => void) | undefined
}

export interface Grid {
  /** The current rows, for use in later callbacks. */
  readonly known: RefObject<TraceList>
  readonly active: string | null
  /** Its index; -1 when no row is active or the active one is not shown. */
  readonly place: number
  readonly menu: RowMenuProps['open']
  domId(index: number): string
  /** Makes the row at that index active and scrolls to it. */
  go(index: number): void
  choose(row: Row): void
  fold(row: Row): void
  closeMenu(): void
  onFocus(event: FocusEvent): void
  onKeyDown(event: KeyboardEvent): void
  onContextMenu(event: MouseEvent): void
}

export function useGrid({ list, follow, view, onSelect, onBeside }: UseGrid): Grid {
  const { reveal, scroller } = follow
  const known = useRef(list)
  useEffect(() => {
    known.current = list
  })
  const [active, setActive] = useState<string | null>(null)
  const [menu, setMenu] = useState<RowMenuProps['open']>(null)
  const gridId = useId()
  const place = active === null ? -1 : (findRow(list, active)?.index ?? -1)
  const go = useCallback(
    (index: number) => {
      const placed = rowAt(known.current, index)
      if (placed === undefined) return
      setActive(placed.row.id)
      reveal(placed.top)
    },
    [reveal],
  )
  const { fold: foldId, toggleOpen } = view
  const fold = useCallback((row: Row) => foldId(row.id), [foldId])
  const besideNow = useRef(onBeside)
  useEffect(() => {
    besideNow.current = onBeside
  })
  const { opened, rowHeight } = view.look
  const choose = useCallback(
    (row: Row) => {
      setActive(row.id)
      if (onSelect !== undefined) return onSelect(row)
      if (canOpen(row) && besideNow.current !== undefined && !opened.has(row.id)) besideNow.current(row)
      else if (canOpen(row)) {
        toggleOpen(row.id)
        requestAnimationFrame(() => showWhole(scroller.current, row.id))
      } else if (row.open !== undefined) foldId(row.id)
    },
    [onSelect, foldId, toggleOpen, opened, scroller],
  )
  const domId = (index: number) => `${gridId}-${index}`
  return {
    known,
    active,
    place,
    menu,
    domId,
    go,
    choose,
    fold,
    closeMenu: () => setMenu(null),
    onFocus: (event) => {
      if (event.target !== event.currentTarget || place >= 0) return
      setActive(rowAt(list, Math.floor(follow.view.top / rowHeight))?.row.id ?? null)
    },
    onKeyDown: (event) => {
      const isOurs = event.target === event.currentTarget
      if (!isOurs || event.ctrlKey || event.metaKey || event.altKey) return
      const page = Math.floor(follow.view.height / rowHeight) - 1
      const act = keyAct(list, Math.max(0, place), event.key, page)
      if (act === undefined) return
      event.preventDefault()
      const row = rowAt(list, Math.max(0, place))?.row
      if (act.do === 'go') go(place < 0 ? 0 : act.index)
      else if (row !== undefined) (act.do === 'fold' ? fold : choose)(row)
    },
    onContextMenu: (event) => {
      const element = event.target instanceof Element ? event.target.closest('[data-row]') : null
      const id = element?.getAttribute('data-row') ?? active
      const row = id === null ? undefined : findRow(list, id)?.row
      if (row === undefined) return
      event.preventDefault()
      setActive(row.id)
      setMenu({ row, at: pointOf(event, element ?? document.getElementById(domId(place))) })
    },
  }
}

/** A row opened at the lower edge would open out of sight. */
function showWhole(body: HTMLElement | null, id: string) {
  body?.querySelector(`[data-row="${CSS.escape(id)}"]`)?.parentElement?.scrollIntoView({ block: 'nearest' })
}

/** Opened by a key there is no pointer position, so the menu opens at the row. */
function pointOf({ clientX, clientY }: { clientX: number; clientY: number }, row: Element | null) {
  const box = row?.getBoundingClientRect()
  const isInside = box !== undefined && clientY >= box.top && clientY <= box.bottom
  return isInside || box === undefined ? { x: clientX, y: clientY } : { x: box.left + 48, y: box.bottom }
}
