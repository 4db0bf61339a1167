'use client'
/**
 * The scroll position of the table: at its end while a run is active, at the playhead during a replay, until
 * a person scrolls away.
 */
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { useView, type View } from './use-view'

export interface Follow {
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly view: View
  readonly isFollowing: boolean
  onScroll(): void
  /** Follows the end or the playhead again. */
  jump(): void
  /** Scrolls to the row at that height and stays there. */
  reveal(top: number): void
}

export interface Followed {
  readonly height: number
  readonly isLive: boolean
  /** Top of the row at the playhead; null when there is no replay. */
  readonly playhead: number | null
  readonly rowHeight: number
}

export function useFollow({ height, isLive, playhead, rowHeight }: Followed): Follow {
  const scroller = useRef<HTMLDivElement>(null)
  const { view, measure } = useView(scroller)
  const [isFollowing, setFollowing] = useState(true)
  const lastTop = useRef(0)
  const scrollTo = useCallback((top: number) => {
    const body = scroller.current
    if (body === null) return
    body.scrollTop = top
    // Scrolling by the program must not count as a person scrolling back.
    lastTop.current = body.scrollTop
  }, [])
  const hasBeenLive = useRef(isLive)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it scrolls when the height grows
  useEffect(() => {
    // The last rows arrive together with the end of the run, so a run that was live is followed to its end.
    hasBeenLive.current ||= isLive
    const body = scroller.current
    if (body !== null && hasBeenLive.current && isFollowing && playhead === null) scrollTo(body.scrollHeight)
  }, [height, isLive, isFollowing])
  useEffect(() => {
    const body = scroller.current
    if (body === null || playhead === null || !isFollowing) return
    scrollTo(toMiddle(body, { top: playhead, height: rowHeight }))
  }, [playhead, isFollowing, scrollTo, rowHeight])
  const onScroll = () => {
    const body = scroller.current
    if (body === null) return
    measure()
    if (playhead !== null) {
      if (body.scrollTop !== lastTop.current) setFollowing(false)
      lastTop.current = body.scrollTop
      return
    }
    // The content may have grown since the last scroll to its end, so only scrolling up counts as done by a
    // person.
    if (body.scrollTop < lastTop.current) setFollowing(false)
    if (body.scrollHeight - body.scrollTop - body.clientHeight < rowHeight) setFollowing(true)
    lastTop.current = body.scrollTop
  }
  const reveal = useCallback(
    (top: number) => {
      const body = scroller.current
      if (body === null) return
      const to = nearest(body, { top, height: rowHeight })
      if (to < body.scrollHeight - body.clientHeight - rowHeight) setFollowing(false)
      scrollTo(to)
    },
    [scrollTo, rowHeight],
  )
  return { scroller, view, isFollowing, onScroll, jump: () => setFollowing(true), reveal }
}

/** Where a row is in the list, in pixels. */
interface RowBox {
  readonly top: number
  readonly height: number
}

/** The smallest scroll that brings the row into the middle third. */
export function toMiddle(
  { scrollTop, clientHeight }: Pick<HTMLElement, 'scrollTop' | 'clientHeight'>,
  { top, height }: RowBox,
): number {
  const third = clientHeight / 3
  if (top < scrollTop + third) return Math.max(0, top - third)
  const lowest = Math.max(third, 2 * third - height)
  return top > scrollTop + lowest ? top - lowest : scrollTop
}

/** The smallest scroll that makes the row visible. */
function nearest({ scrollTop, clientHeight }: HTMLElement, { top, height }: RowBox): number {
  if (top < scrollTop) return top
  return top + height > scrollTop + clientHeight ? top + height - clientHeight : scrollTop
}
