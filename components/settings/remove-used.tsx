'use client'
/** Asks before something that agents use is removed, and says what that means for them. */
import type { ReactNode } from 'react'
import { RemovalDialog } from '#components/ui/removal-dialog'
import { listFirstNames } from '#lib/spec/tool-class'

type Users = readonly { readonly name: string; readonly title: string }[]

interface RemoveUsedProps {
  readonly name: string
  readonly usedBy: Users | 'unknown' | 'unreadable'
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
        {wordsOf(usedBy, then)} {children}
      </p>
    </RemovalDialog>
  )
}

function wordsOf(usedBy: RemoveUsedProps['usedBy'], then: string): string {
  if (usedBy === 'unknown') return 'Which agents use it is not known yet.'
  if (usedBy === 'unreadable') return 'Which agents use it could not be read.'
  if (usedBy.length === 0) return 'No agent uses it.'
  return `${listFirstNames(usedBy.map(({ name, title }) => title || name))} ${then}.`
}
