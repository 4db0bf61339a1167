'use client'
/** One value in one control: text, lines, number, switch or choice. */
import { useState } from 'react'
import { NumberField, Property, Select, Switch, TextArea, TextField } from '#components/ui/field'
import type { JsonValue } from '#lib/spec/json'
import { CodeArea } from './code-area'
import { type Field, optionLabel } from './fields'
import styles from './inspector.module.css'

/** Undefined takes the setting away, so that its default holds. */
export type Change = (value: JsonValue | undefined) => void

export interface ScalarProps {
  id: string
  field: Field
  value: JsonValue | undefined
  error: string | undefined
  onChange: Change
  /** Shown where nothing is set. */
  placeholder?: string
  /** Words for values that are names of parts, as `openai` is. */
  words?: ReadonlyMap<string, string>
}

export function ScalarField({ id, field, value, error, onChange, placeholder, words }: ScalarProps) {
  const [notNumber, setNotNumber] = useState<string>()
  const told = notNumber ?? error
  const text = typeof value === 'string' ? value : ''
  const shell = { label: field.label, htmlFor: id, error: told, hint: field.hint }
  switch (field.control) {
    case 'multiline':
      return (
        <Property {...shell} wide>
          <TextArea
            id={id}
            value={text}
            onChange={onChange}
            rows={6}
            invalid={told !== undefined}
            placeholder={placeholder}
          />
        </Property>
      )
    case 'code':
      return (
        <Property {...shell} wide>
          <CodeArea id={id} value={text} onChange={onChange} isInvalid={told !== undefined} />
        </Property>
      )
    case 'text':
      return (
        <Property {...shell}>
          <TextField
            id={id}
            value={text}
            onChange={onChange}
            invalid={told !== undefined}
            placeholder={placeholder}
          />
        </Property>
      )
    case 'number':
      return (
        <Property {...shell}>
          <NumberField
            id={id}
            value={typeof value === 'number' ? value : undefined}
            onChange={onChange}
            onText={(typed, isNumber) => setNotNumber(isNumber ? undefined : `“${typed}” is no number.`)}
            unit={field.unit}
            invalid={told !== undefined}
            placeholder={placeholder ?? boundsText(field)}
          />
        </Property>
      )
    case 'switch':
      return (
        <Property {...shell}>
          <div className={styles.switchRow}>
            <Switch id={id} label={field.label} checked={value === true} onChange={onChange} />
            {value === true ? 'on' : 'off'}
          </div>
        </Property>
      )
    case 'select':
    case 'branch':
      return (
        <Property {...shell}>
          <Select
            id={id}
            value={text}
            onChange={(chosen) => onChange(chosen === '' ? undefined : chosen)}
            options={optionsOf(field, text, words)}
          />
        </Property>
      )
    default:
      return null
  }
}

function optionsOf(
  { control, options, isRequired, fallback }: Extract<Field, { control: 'select' | 'branch' }>,
  value: string,
  words?: ReadonlyMap<string, string>,
) {
  const known = options.map((each) => ({ value: each, label: words?.get(each) ?? optionLabel(each) }))
  // What need not be set can be taken away again.
  const isFree = control === 'select' && !isRequired && fallback === undefined
  const none = isFree || value === '' ? [{ value: '', label: 'not set' }] : []
  const isStrange = value !== '' && !options.includes(value)
  return [...none, ...(isStrange ? [{ value, label: `${value} (not known)` }] : []), ...known]
}

function boundsText({ min, max, isRequired }: Extract<Field, { control: 'number' }>): string {
  if (!isRequired || min === undefined || max === undefined) return 'not set'
  return `${min} to ${max.toLocaleString('en-US')}`
}
