'use client'
/** Keeps the end of growing content in view until a person scrolls away from it. */
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

export interface FollowedEnd {
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly content: RefObject<HTMLDivElement | null>
  readonly isAway: boolean
  toEnd(): void
}

/**
 * Starts at the end again when `subject` changes.
 * @param near pixels from the end that still count as being at the end
 */
export function useFollowEnd(subject: string | null, near: number): FollowedEnd {
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const isFollowing = useRef(true)
  const [isAway, setAway] = useState(false)
  const toEnd = useCallback(() => {
    isFollowing.current = true
    setAway(false)
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight })
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another thread is begun at its end
  useEffect(toEnd, [subject, toEnd])
  useEffect(() => {
    const [outer, inner] = [scroller.current, content.current]
    if (outer === null || inner === null) return
    const look = () => {
      const isThere = outer.scrollHeight - outer.scrollTop - outer.clientHeight < near
      isFollowing.current = isThere
      setAway(!isThere)
    }
    const observer = new ResizeObserver(() => {
      if (isFollowing.current) outer.scrollTo({ top: outer.scrollHeight })
      else look()
    })
    observer.observe(inner)
    observer.observe(outer)
    outer.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      outer.removeEventListener('scroll', look)
    }
  }, [near])
  return { scroller, content, isAway, toEnd }
}
