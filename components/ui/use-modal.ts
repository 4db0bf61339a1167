'use client'
/** Shows a dialog as modal while it is mounted, and returns the focus to its opener when it is gone. */
import { type MouseEvent, type RefObject, type SyntheticEvent, useLayoutEffect, useRef } from 'react'
import { focusTrail, returnFocusSoon } from './return-focus'

interface ModalOptions {
  /** The element that takes the focus; without one, the browser chooses. */
  first?(dialog: HTMLDialogElement): HTMLElement | null | undefined
  /** A press outside closes it as well as Escape. */
  readonly closesOutside?: boolean
  onClose(): void
}

interface ModalProps {
  readonly ref: RefObject<HTMLDialogElement | null>
  onCancel(event: SyntheticEvent): void
  onClick?(event: MouseEvent): void
}

/** The props of the dialog element. */
export function useModal({ first, closesOutside = false, onClose }: ModalOptions): ModalProps {
  const ref = useRef<HTMLDialogElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a dialog is opened once, when it is mounted
  useLayoutEffect(() => {
    const dialog = ref.current
    if (dialog === null) return
    const trail = focusTrail()
    dialog.showModal()
    first?.(dialog)?.focus()
    return () => {
      dialog.close()
      returnFocusSoon(trail)
    }
  }, [])
  const onCancel = (event: SyntheticEvent) => {
    event.preventDefault()
    onClose()
  }
  const onClick = (event: MouseEvent) => {
    if (event.target === event.currentTarget) onClose()
  }
  return { ref, onCancel, ...(closesOutside && { onClick }) }
}
