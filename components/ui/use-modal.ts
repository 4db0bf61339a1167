'use client'
/** Shows a dialog as modal while it is mounted, and returns the focus to its opener when it is gone. */
import { type RefObject, useLayoutEffect } from 'react'
import { focusTrail, returnFocusSoon } from './return-focus'

/** @param first the element that takes the focus; without one, the browser chooses */
export function useModal(
  ref: RefObject<HTMLDialogElement | null>,
  first: (dialog: HTMLDialogElement) => HTMLElement | null | undefined,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a dialog is opened once, when it is mounted
  useLayoutEffect(() => {
    const dialog = ref.current
    if (dialog === null) return
    const trail = focusTrail()
    dialog.showModal()
    first(dialog)?.focus()
    return () => {
      dialog.close()
      returnFocusSoon(trail)
    }
  }, [])
}
