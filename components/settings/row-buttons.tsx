'use client'
/** The buttons at the end of a row: one opens its form in place, the other asks to remove it. */
import type { RefObject } from 'react'
import { IconButton } from '#components/ui/button'

interface EditButtonProps {
  readonly name: string
  readonly isOpen: boolean
  /** The focus comes back to the button when the form closes. */
  readonly opener: RefObject<HTMLButtonElement | null>
  onToggle(): void
}

export function EditButton({ name, isOpen, opener, onToggle }: EditButtonProps) {
  return (
    <IconButton
      ref={opener}
      icon={isOpen ? 'chevron-up' : 'pencil'}
      size="s"
      label={isOpen ? `Close ${name}` : `Edit ${name}`}
      aria-expanded={isOpen}
      onClick={onToggle}
    />
  )
}

export function RemoveButton({ name, onRemove }: { name: string; onRemove(): void }) {
  return <IconButton icon="trash-2" size="s" label={`Remove ${name}`} onClick={onRemove} />
}
