'use client'
/** Whether a key belongs to the field, dialog or menu that has the focus. */
import { useSyncExternalStore } from 'react'

/** A check box takes no text, only Space. */
const fields =
  'input:not([type="checkbox"]), textarea, select, dialog, [contenteditable], [role="menu"], [role="dialog"]'

export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest(fields) !== null
}

/** Whether the focus is in a dialog or a menu over the page, which closes on Escape by itself. */
export function isOverPage(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('dialog, [role="menu"], [role="dialog"]') !== null
}

/** Whether single keys are typed instead of being shortcuts, so that no such shortcut is shown. */
export function useIsTyping(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => isTyping(document.activeElement),
    () => false,
  )
}

function subscribe(changed: () => void): () => void {
  // When the focus leaves an element, the next one has it a moment later.
  const left = () => queueMicrotask(changed)
  document.addEventListener('focusin', changed)
  document.addEventListener('focusout', left)
  return () => {
    document.removeEventListener('focusin', changed)
    document.removeEventListener('focusout', left)
  }
}
