'use client'
/** A free JSON value as text: what is not JSON yet is kept as typed and told, and the drawing is not touched by it. */
import { useState } from 'react'
import { Property, TextArea } from '#components/ui/field'
import type { JsonValue } from '#lib/spec/json'
import { readJson } from './fields'
import type { Change } from './scalar-field'

/** Rows; a longer value scrolls. */
const most = 20

export interface JsonFieldProps {
  id: string
  label: string
  hint: string
  error: string | undefined
  value: JsonValue | undefined
  onChange: Change
}

export function JsonField({ id, label, hint, error, value, onChange }: JsonFieldProps) {
  const [text, setText] = useState<string | null>(null)
  const shown = text ?? (value === undefined ? '' : JSON.stringify(value, null, 2))
  const read = readJson(shown)
  const lines = shown.split('\n').length
  const told = read.ok ? error : read.reason
  const change = (typed: string) => {
    setText(typed)
    const next = readJson(typed)
    if (next.ok) onChange(next.value)
  }
  return (
    <Property label={label} htmlFor={id} error={told} hint={hint} wide>
      <TextArea
        id={id}
        mono
        rows={value === undefined && text === null ? 2 : Math.min(most, Math.max(5, lines))}
        spellCheck={false}
        value={shown}
        placeholder="JSON"
        invalid={told !== undefined}
        onChange={change}
        // What is half typed stays as it is; a finished value is shown in its even form again.
        onBlur={() => read.ok && setText(null)}
      />
    </Property>
  )
}
