'use client'
/** One value in one control: text, multi-line text, code, number, switch or choice. */
import { useState } from 'react'
import { spanWords } from '#components/drawing/span-words'
import { NumberField, Property, type PropertyProps, Select, Switch, TextField } from '#components/ui/field'
import { Segmented } from '#components/ui/segmented'
import type { ControlProps } from './change'
import { type Field, optionLabel } from './fields'
import styles from './form.module.css'
import { LongTextField } from './long-text-field'

/** A field whose value is one text, number, word or switch. */
type OneValue = Extract<
  Field,
  { control: 'text' | 'multiline' | 'code' | 'number' | 'switch' | 'select' | 'branch' }
>

interface ScalarProps extends ControlProps {
  readonly field: OneValue
  readonly reset?: PropertyProps['reset']
  /** Shown when nothing is set, in place of the default. */
  readonly unset?: string
}

const longestLine = 2_000

export function ScalarField({ field, reset, ...control }: ScalarProps) {
  const { id, label, hint, value, error, onChange, unset } = control
  const text = typeof value === 'string' ? value : ''
  const shell = { label, htmlFor: id, error, hint, reset }
  const shownDefault = typeof field.fallback === 'string' ? field.fallback : ''
  switch (field.control) {
    case 'multiline':
    case 'code':
      return <LongTextField {...control} field={field} value={text} />
    case 'text':
      // A one-line field would lose the line breaks, and it lays out a long text as one line.
      if (text.length > longestLine || text.includes('\n'))
        return <LongTextField {...control} field={{ ...field, control: 'multiline' }} value={text} />
      return (
        <Property {...shell}>
          <TextField
            id={id}
            value={text}
            onChange={onChange}
            placeholder={unset ?? shownDefault}
            aria-required={field.isRequired || undefined}
          />
        </Property>
      )
    case 'number':
      return <Amount {...control} field={field} reset={reset} />
    case 'switch': {
      const isOn = (value ?? (unset === undefined ? field.fallback : undefined)) === true
      return (
        <Property {...shell}>
          <div className={styles.switchRow}>
            <Switch id={id} label={label} checked={isOn} onChange={onChange} />
            {value === undefined && unset !== undefined ? unset : isOn ? 'on' : 'off'}
          </div>
        </Property>
      )
    }
    case 'select':
    case 'branch': {
      const held = text === '' && unset === undefined ? shownDefault : text
      const options = optionsOf({ field, value: held, unset })
      return (
        <Property {...shell}>
          {isShort(options) ? (
            <Segmented id={id} label={label} value={held} onChange={onChange} options={options} isField />
          ) : (
            <Select
              id={id}
              value={held}
              onChange={(chosen) => onChange(chosen === '' ? undefined : chosen)}
              options={options}
            />
          )}
        </Property>
      )
    }
  }
  return field satisfies never
}

interface AmountProps extends Omit<ScalarProps, 'field'> {
  readonly field: Extract<Field, { control: 'number' }>
}

function Amount({ id, label, hint, field, value, error, reset, unset, onChange }: AmountProps) {
  const [notNumber, setNotNumber] = useState<string>()
  const fallback = typeof field.fallback === 'number' ? field.fallback : undefined
  return (
    <Property label={label} htmlFor={id} error={notNumber ?? error} hint={hint} reset={reset}>
      <NumberField
        id={id}
        value={typeof value === 'number' ? value : undefined}
        onChange={onChange}
        onText={(typed, isNumber) => setNotNumber(isNumber ? undefined : `“${typed}” is not a number.`)}
        unit={unitWords(field.unit, typeof value === 'number' ? value : fallback)}
        min={field.min}
        max={field.max}
        step={field.step}
        fallback={fallback}
        placeholder={unset ?? fallback?.toString() ?? boundsText(field)}
        aria-required={field.isRequired || undefined}
      />
    </Property>
  )
}

/** From a minute on, a number of seconds is also written in minutes and hours. */
function unitWords(unit: string | undefined, value: number | undefined): string | undefined {
  return unit === 's' && value !== undefined && value >= 60 ? `s = ${spanWords(value)}` : unit
}

interface Options {
  readonly field: Extract<Field, { control: 'select' | 'branch' }>
  readonly value: string
  readonly unset?: string
}

function optionsOf({ field, value, unset }: Options) {
  const { control, options, isRequired, fallback } = field
  const words = field.control === 'branch' ? field.words : undefined
  const known = options.map((each) => ({ value: each, label: words?.get(each) ?? optionLabel(each) }))
  // An optional choice can be removed again.
  const isFree = control === 'select' && (unset !== undefined || (!isRequired && fallback === undefined))
  const none = isFree || value === '' ? [{ value: '', label: unset ?? 'not set' }] : []
  const isStrange = value !== '' && !options.includes(value)
  return [...none, ...(isStrange ? [{ value, label: `${value} (not known)` }] : []), ...known]
}

/** Few and short enough to fit side by side in the narrowest inspector. */
function isShort(options: readonly { value: string; label: string }[]): boolean {
  // All are as wide as the longest.
  const letters = options.length * Math.max(0, ...options.map((each) => each.label.length))
  return (
    options.length > 1 && options.length <= 3 && letters <= 24 && options.every((each) => each.value !== '')
  )
}

function boundsText({ min, max, isRequired }: Extract<Field, { control: 'number' }>): string {
  if (!isRequired || min === undefined || max === undefined) return 'not set'
  return `${min} to ${max.toLocaleString('en-US')}`
}
