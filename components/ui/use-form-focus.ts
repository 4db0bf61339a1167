/**
 * Focus of a form that opens in place: it takes the focus, Escape closes it, and its opener then gets the
 * focus back.
 */
import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'

/** @param opener the element that opens the form, and exists again once the form is closed */
export function useFormFocus(opener: RefObject<HTMLElement | null>, onClose: () => void) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('input:enabled, textarea')?.focus()
    return () => {
      // If the person has moved the focus elsewhere, it stays there.
      if (document.activeElement === document.body) opener.current?.focus()
    }
  }, [opener])
  const onKeyDown = (event: KeyboardEvent) => {
    // While a word is composed, Escape belongs to the input method.
    if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing) return
    event.preventDefault()
    onClose()
  }
  return { ref: form, onKeyDown }
}
