'use client'
/** Asks before something that agents use is removed, and says what that means for them. */
import type { ReactNode } from 'react'
import { RemovalDialog } from '#components/ui/removal-dialog'
import { listFirstNames } from '#lib/spec/tool-class'

interface RemoveUsedProps {
  readonly name: string
  /** Undefined while it is not known. */
  readonly usedBy: readonly { readonly name: string; readonly title: string }[] | undefined
  /** What becomes of those that use it, as in “will run without it”. */
  readonly then: string
  readonly removal: { readonly isPending: boolean; readonly error: unknown }
  /** What else a person should know. */
  readonly children?: ReactNode
  onRemove(): void
  onClose(): void
}

export function RemoveUsed({ name, usedBy, then, removal, children, onRemove, onClose }: RemoveUsedProps) {
  return (
    <RemovalDialog
      title={`Remove ${name}?`}
      verb="Remove"
      isPending={removal.isPending}
      error={removal.error}
      onRemove={onRemove}
      onClose={onClose}
    >
      <p>
        {usedBy !== undefined && wordsOf(usedBy, then)} {children}
      </p>
    </RemovalDialog>
  )
}

function wordsOf(usedBy: NonNullable<RemoveUsedProps['usedBy']>, then: string): string {
  if (usedBy.length === 0) return 'No agent uses it.'
  return `${listFirstNames(usedBy.map(({ name, title }) => title || name))} ${then}.`
}
