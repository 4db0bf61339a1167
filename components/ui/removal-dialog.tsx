'use client'
/** Asks before something is removed for good; the focus is first on the button that keeps it. */
import type { ReactNode } from 'react'
import { Button } from './button'
import { Dialog } from './dialog'
import { ErrorNote } from './notice'

export interface RemovalDialogProps {
  readonly title: string
  /** The word on the button that removes, as in “Delete”. */
  readonly verb: string
  readonly isPending: boolean
  /** Why the removal failed; null while it has not. */
  readonly error: unknown
  readonly children: ReactNode
  onRemove(): void
  onClose(): void
}

export function RemovalDialog(props: RemovalDialogProps) {
  const { title, verb, isPending, error, children, onRemove, onClose } = props
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button variant="danger" disabled={isPending} onClick={onRemove}>
            {verb}
          </Button>
        </>
      }
    >
      {children}
      {error !== null && <ErrorNote error={error} />}
    </Dialog>
  )
}
