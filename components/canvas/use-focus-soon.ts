'use client'
/** Focuses a field as soon as that is possible: a new card is hidden until it has been measured. */
import { type RefObject, useEffect } from 'react'

const mostFrames = 30

export function useFocusSoon(field: RefObject<HTMLInputElement | HTMLTextAreaElement | null>): void {
  useEffect(() => {
    let frame = 0
    let tries = 0
    const attempt = () => {
      field.current?.focus({ preventScroll: true })
      tries += 1
      if (document.activeElement !== field.current && tries < mostFrames)
        frame = requestAnimationFrame(attempt)
    }
    attempt()
    return () => cancelAnimationFrame(frame)
  }, [field])
}
