/** A form that opens in place takes the focus, Escape closes it, and what had opened it has the focus again. */
import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'

/** @param opener what opens the form, there again once the form is gone */
export function useFormFocus(opener: RefObject<HTMLElement | null>, onClose: () => void) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('input:enabled, textarea')?.focus()
    return () => {
      // Whoever has gone on elsewhere stays there.
      if (document.activeElement === document.body) opener.current?.focus()
    }
  }, [opener])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.preventDefault()
    onClose()
  }
  return { ref: form, onKeyDown }
}
