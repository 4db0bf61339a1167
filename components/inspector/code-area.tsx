'use client'
/** Text of a program: mono, as tall as it needs, Tab indents. Escape, then Tab, leaves it by the keyboard. */
import { type KeyboardEvent, useRef } from 'react'
import { TextArea } from '#components/ui/field'

const indent = '  '
const least = 6
const most = 24

export interface CodeAreaProps {
  readonly id: string
  readonly value: string
  readonly isInvalid: boolean
  onChange(value: string): void
}

export function CodeArea({ id, value, isInvalid, onChange }: CodeAreaProps) {
  const isLeaving = useRef(false)
  const keys = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Escape') {
      isLeaving.current = true
      event.stopPropagation()
    }
    if (event.key !== 'Tab' || event.shiftKey || isLeaving.current) return
    event.preventDefault()
    // The one way that keeps the field's own undo.
    document.execCommand('insertText', false, indent)
  }
  return (
    <TextArea
      id={id}
      mono
      rows={Math.min(most, Math.max(least, value.split('\n').length + 1))}
      value={value}
      onChange={onChange}
      onKeyDown={keys}
      onFocus={() => {
        isLeaving.current = false
      }}
      invalid={isInvalid}
      spellCheck={false}
      autoCapitalize="off"
      autoComplete="off"
      wrap="off"
      aria-description="Tab indents. Escape, then Tab, goes on to the next field."
    />
  )
}
