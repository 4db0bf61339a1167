'use client'
/** A text of a form in Settings under its label; the browser neither completes nor corrects it. */
import { Property, TextField } from '#components/ui/field'

interface TextPropertyProps {
  readonly id: string
  readonly label: string
  readonly hint: string
  readonly error: string | undefined
  readonly value: string
  onChange(value: string): void
  readonly placeholder?: string
  readonly disabled?: boolean
  readonly mono?: boolean
  readonly inputMode?: 'url'
}

export function TextProperty({ label, hint, error, ...field }: TextPropertyProps) {
  return (
    <Property label={label} htmlFor={field.id} error={error} hint={hint}>
      <TextField {...field} autoComplete="off" spellCheck={false} />
    </Property>
  )
}
