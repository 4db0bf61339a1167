'use client'
/** One value in one control: text, lines, number, switch or choice. */
import { useState } from 'react'
import { NumberField, Property, Select, Switch, TextArea, TextField } from '#components/ui/field'
import type { JsonValue } from '#lib/spec/json'
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
}

export function ScalarField({ id, field, value, error, onChange, placeholder }: ScalarProps) {
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
            options={optionsOf(field, text)}
          />
        </Property>
      )
    default:
      return null
  }
}

function optionsOf(field: Extract<Field, { options: readonly string[] }>, value: string) {
  const known = field.options.map((each) => ({ value: each, label: optionLabel(each) }))
  if (field.options.includes(value)) return known
  return [{ value, label: value === '' ? 'not set' : `${value} (not known)` }, ...known]
}

function boundsText({ min, max }: Extract<Field, { control: 'number' }>): string | undefined {
  if (min === undefined || max === undefined) return 'not set'
  return `${min} to ${max.toLocaleString('en-US')}`
}
