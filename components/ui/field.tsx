'use client'
/**
 * Form controls: text, multi-line text, number with a unit, select and switch. All are 28 px high and share
 * one focus style.
 */
import {
  type InputHTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useState,
} from 'react'
import { lineOf } from '#lib/spec/line'
import { join } from './button'
import styles from './field.module.css'
import { Icon } from './icon'
import { useFieldHelp } from './property'

export { Property, type PropertyProps } from './property'

export interface TextFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'> {
  value: string
  onChange(value: string): void
  icon?: string
  /** Shown inside the field at the right: a unit or a key cap. */
  end?: ReactNode
  mono?: boolean
  invalid?: boolean
}

export function TextField({ value, onChange, icon, end, mono, invalid, className, ...rest }: TextFieldProps) {
  const told = useFieldHelp()
  const isInvalid = invalid ?? told.isInvalid
  return (
    <span
      className={join(styles.field, mono && styles.mono, className)}
      data-invalid={isInvalid || undefined}
      data-disabled={rest.disabled || undefined}
    >
      {icon !== undefined && <Icon name={icon} size={14} className={styles.icon} />}
      <input
        aria-describedby={told.describedBy}
        {...rest}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        aria-invalid={isInvalid || undefined}
      />
      {end !== undefined && <span className={styles.end}>{end}</span>}
    </span>
  )
}

export interface TextAreaProps extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange'> {
  value: string
  onChange(value: string): void
  mono?: boolean
}

export function TextArea({ value, onChange, mono, className, ...rest }: TextAreaProps) {
  const told = useFieldHelp()
  return (
    <textarea
      aria-describedby={told.describedBy}
      {...rest}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      aria-invalid={told.isInvalid || undefined}
      className={join(styles.area, mono && styles.mono, className)}
    />
  )
}

export interface NumberFieldProps
  extends Omit<
    InputHTMLAttributes<HTMLInputElement>,
    'onChange' | 'value' | 'type' | 'min' | 'max' | 'step'
  > {
  /** Undefined when nothing is set; the placeholder then shows the value that applies. */
  value: number | undefined
  onChange(value: number | undefined): void
  unit?: string
  /** The arrow keys stay within these bounds. */
  min?: number
  max?: number
  /** How much an arrow key adds or subtracts; with Shift ten times as much. Default 1. */
  step?: number
  /** The value an arrow key starts from when nothing is set. */
  fallback?: number
  /** Called with each text and whether it is a number, so that the caller can show an error. */
  onText?(text: string, isNumber: boolean): void
}

/**
 * Keeps the typed text as it is, so that "1." and an empty field can be typed and an invalid number is not
 * lost.
 */
export function NumberField({
  value,
  onChange,
  unit,
  min,
  max,
  step,
  fallback,
  onText,
  onFocus,
  onBlur,
  onKeyDown,
  ...rest
}: NumberFieldProps) {
  const [text, setText] = useState<string | null>(null)
  const change = (next: string) => {
    setText(next)
    const parsed = readNumber(next)
    onText?.(next, parsed !== null)
    if (parsed !== null) onChange(parsed)
  }
  const keys = (event: KeyboardEvent<HTMLInputElement>) => {
    onKeyDown?.(event)
    const by = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
    if (by === 0 || event.defaultPrevented || rest.readOnly || rest.disabled) return
    event.preventDefault()
    const next = stepValue({ from: value ?? fallback, by, step, isLarge: event.shiftKey, min, max })
    change(String(next))
  }
  return (
    <TextField
      {...rest}
      value={text ?? formatValue(value)}
      onChange={change}
      onKeyDown={keys}
      onFocus={(event) => {
        setText((known) => known ?? formatValue(value))
        onFocus?.(event)
      }}
      onBlur={(event) => {
        if (text === null || readNumber(text) !== null) setText(null)
        onBlur?.(event)
      }}
      inputMode="decimal"
      end={unit}
    />
  )
}

/** Undefined for an empty field, null for a text that is not a number. */
function readNumber(text: string): number | undefined | null {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  const parsed = Number(trimmed)
  return Number.isFinite(parsed) ? parsed : null
}

interface Step {
  readonly from: number | undefined
  readonly by: number
  readonly step?: number
  readonly isLarge: boolean
  readonly min?: number
  readonly max?: number
}

export function stepValue({ from, by, step = 1, isLarge, min, max }: Step): number {
  const next = (from ?? Math.max(min ?? 0, Math.min(0, max ?? 0))) + by * step * (isLarge ? 10 : 1)
  const within = Math.max(min ?? Number.NEGATIVE_INFINITY, Math.min(max ?? Number.POSITIVE_INFINITY, next))
  // Steps of 0.1 must not end in 0.30000000000000004.
  return Number(within.toFixed(6))
}

const formatValue = (value: number | undefined) => (value === undefined ? '' : String(value))

export interface SelectProps extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange'> {
  value: string
  onChange(value: string): void
  options: readonly { value: string; label: string }[]
}

export function Select({ value, onChange, options, className, ...rest }: SelectProps) {
  const told = useFieldHelp()
  return (
    <span
      className={join(styles.field, styles.select, className)}
      data-invalid={told.isInvalid || undefined}
      data-disabled={rest.disabled || undefined}
    >
      <select
        aria-describedby={told.describedBy}
        aria-invalid={told.isInvalid || undefined}
        {...rest}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      >
        {options.map((each) => (
          <option key={each.value} value={each.value}>
            {lineOf(each.label)}
          </option>
        ))}
      </select>
      <Icon name="chevrons-up-down" size={14} className={styles.arrow} />
    </span>
  )
}

export function Switch({
  checked,
  onChange,
  label,
  id,
}: {
  checked: boolean
  onChange(checked: boolean): void
  label: string
  id?: string
}) {
  const told = useFieldHelp()
  return (
    <button
      type="button"
      role="switch"
      id={id}
      aria-checked={checked}
      aria-label={label}
      aria-describedby={told.describedBy}
      className={styles.switch}
      onClick={() => onChange(!checked)}
    />
  )
}
