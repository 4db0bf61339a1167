'use client'
/** Puts the focus into a field as soon as it can take it: a card that has just come is hidden until it is measured. */
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
