'use client'
/** Where the table is scrolled: at its end while a run goes, at the playhead while one is replayed, until a person scrolls away. */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { rowHeight } from './trace-list'

export interface Follow {
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly view: { readonly top: number; readonly height: number }
  readonly isFollowing: boolean
  onScroll(): void
  /** Follows again. */
  jump(): void
  /** Brings a row at that height into view, and stays there. */
  reveal(top: number): void
}

export interface Followed {
  readonly height: number
  readonly isLive: boolean
  /** Top of the row at the playhead; null while nothing is replayed. */
  readonly playhead: number | null
}

export function useFollow({ height, isLive, playhead }: Followed): Follow {
  const scroller = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 400 })
  const [isFollowing, setFollowing] = useState(true)
  const lastTop = useRef(0)
  const scrollTo = useCallback((top: number) => {
    const body = scroller.current
    if (body === null) return
    body.scrollTop = top
    // What we scrolled to is no going back of the person's.
    lastTop.current = body.scrollTop
  }, [])
  useLayoutEffect(() => {
    const body = scroller.current
    if (body === null) return
    const measure = () => setView({ top: body.scrollTop, height: body.clientHeight })
    const observer = new ResizeObserver(measure)
    observer.observe(body)
    measure()
    return () => observer.disconnect()
  }, [])
  const hasBeenLive = useRef(isLive)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a taller sheet is what there is to follow
  useEffect(() => {
    // The last rows come together with the end, so the end itself is still followed.
    hasBeenLive.current ||= isLive
    const body = scroller.current
    if (body !== null && hasBeenLive.current && isFollowing && playhead === null) scrollTo(body.scrollHeight)
  }, [height, isLive, isFollowing])
  useEffect(() => {
    const body = scroller.current
    if (body === null || playhead === null || !isFollowing) return
    scrollTo(nearest(body, playhead))
  }, [playhead, isFollowing, scrollTo])
  const onScroll = () => {
    const body = scroller.current
    if (body === null) return
    setView({ top: body.scrollTop, height: body.clientHeight })
    // The sheet may have grown since we scrolled to its end: only going back up is a person's doing.
    if (body.scrollTop < lastTop.current) setFollowing(false)
    if (body.scrollHeight - body.scrollTop - body.clientHeight < rowHeight) setFollowing(true)
    lastTop.current = body.scrollTop
  }
  const reveal = useCallback(
    (top: number) => {
      const body = scroller.current
      if (body === null) return
      const to = nearest(body, top)
      if (to < body.scrollHeight - body.clientHeight - rowHeight) setFollowing(false)
      scrollTo(to)
    },
    [scrollTo],
  )
  return { scroller, view, isFollowing, onScroll, jump: () => setFollowing(true), reveal }
}

/** As little as it takes for the row to be seen. */
function nearest({ scrollTop, clientHeight }: HTMLElement, top: number): number {
  if (top < scrollTop) return top
  return top + rowHeight > scrollTop + clientHeight ? top + rowHeight - clientHeight : scrollTop
}
