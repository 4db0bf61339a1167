'use client'
/**
 * A free JSON value as text. Text that is not JSON yet is kept as typed, is reported with its line, and does
 * not change the drawing.
 */
import { useMemo } from 'react'
import { CodeEditor } from '#components/ui/code-editor'
import { Property, type PropertyProps } from '#components/ui/field'
import type { JsonValue } from '#lib/spec/json'
import type { ControlProps } from './change'
import { useDraft } from './form-context'
import { readJson } from './typed-json'

interface JsonFieldProps extends ControlProps {
  readonly path: string
  /** Shown when nothing is set. */
  readonly fallback?: JsonValue | undefined
  readonly reset?: PropertyProps['reset']
}

export function JsonField({
  id,
  label,
  hint,
  error,
  path,
  value,
  fallback,
  reset,
  onChange,
}: JsonFieldProps) {
  const [draft, setDraft] = useDraft(path)
  const written = useMemo(() => (value === undefined ? '' : JSON.stringify(value, null, 2)), [value])
  const text = draft ?? written
  const read = useMemo(() => readJson(text), [text])
  const change = (typed: string) => {
    setDraft(typed)
    const next = readJson(typed)
    if (next.ok) onChange(next.value)
  }
  const back = { label: 'Back to the last text that was JSON', run: () => setDraft(null) }
  return (
    <Property
      label={label}
      htmlFor={id}
      error={read.ok ? error : read.reason}
      hint={hint}
      reset={read.ok ? reset : back}
      wide
    >
      <CodeEditor
        id={id}
        label={label}
        language="json"
        value={text}
        placeholder={fallback === undefined ? 'JSON' : JSON.stringify(fallback)}
        minLines={text === '' ? 2 : 3}
        maxLines={20}
        onChange={change}
        // Unfinished text stays as it is; a valid value is shown formatted again.
        onBlur={() => {
          if (read.ok) setDraft(null)
        }}
      />
    </Property>
  )
}
