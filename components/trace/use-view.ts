'use client'
/** Which part of a scrolled list is in view: only the rows in it, and a few more, need to be rendered. */
import { type RefObject, useCallback, useLayoutEffect, useState } from 'react'

export interface View {
  /** In CSS pixels from the top of the list. */
  readonly top: number
  readonly height: number
}

/** @returns the view, and `measure`, which must be called when the element has been scrolled */
export function useView(scroller: RefObject<HTMLElement | null>): { view: View; measure(): void } {
  const [view, setView] = useState<View>({ top: 0, height: 400 })
  const measure = useCallback(() => {
    const body = scroller.current
    if (body !== null) setView({ top: body.scrollTop, height: body.clientHeight })
  }, [scroller])
  useLayoutEffect(() => {
    const body = scroller.current
    if (body === null) return
    const observer = new ResizeObserver(measure)
    observer.observe(body)
    measure()
    return () => observer.disconnect()
  }, [scroller, measure])
  return { view, measure }
}
