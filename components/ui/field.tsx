'use client'
/** Form controls: text, multi-line text, number with its unit, select and switch. All 28 high, all with one focus. */
import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useState,
} from 'react'
import { join } from './button'
import styles from './field.module.css'
import { Icon } from './icon'

export interface TextFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'> {
  value: string
  onChange(value: string): void
  icon?: string
  /** Stands inside at the right: a unit, a key cap. */
  end?: ReactNode
  mono?: boolean
  invalid?: boolean
}

export function TextField({ value, onChange, icon, end, mono, invalid, className, ...rest }: TextFieldProps) {
  return (
    <span
      className={join(styles.field, mono && styles.mono, className)}
      data-invalid={invalid || undefined}
      data-disabled={rest.disabled || undefined}
    >
      {icon !== undefined && <Icon name={icon} size={14} className={styles.icon} />}
      <input
        {...rest}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        aria-invalid={invalid || undefined}
      />
      {end !== undefined && <span className={styles.end}>{end}</span>}
    </span>
  )
}

export interface TextAreaProps extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange'> {
  value: string
  onChange(value: string): void
  mono?: boolean
  invalid?: boolean
}

export function TextArea({ value, onChange, mono, invalid, className, ...rest }: TextAreaProps) {
  return (
    <textarea
      {...rest}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      aria-invalid={invalid || undefined}
      className={join(styles.area, mono && styles.mono, className)}
    />
  )
}

export interface NumberFieldProps
  extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value' | 'type'> {
  /** Undefined where nothing is set: the placeholder then shows what holds. */
  value: number | undefined
  onChange(value: number | undefined): void
  unit?: string
  invalid?: boolean
  /** Told when the text is no number, so that the reason can be shown beside the field. */
  onText?(text: string, isNumber: boolean): void
}

/** Keeps what is typed as text while the field has the focus, so that "1." or an empty field is never fought. */
export function NumberField({
  value,
  onChange,
  unit,
  invalid,
  onText,
  onFocus,
  onBlur,
  ...rest
}: NumberFieldProps) {
  const [text, setText] = useState<string | null>(null)
  const change = (next: string) => {
    setText(next)
    const trimmed = next.trim()
    const parsed = trimmed === '' ? undefined : Number(trimmed)
    const isNumber = parsed === undefined || Number.isFinite(parsed)
    onText?.(next, isNumber)
    if (isNumber) onChange(parsed)
  }
  return (
    <TextField
      {...rest}
      value={text ?? shown(value)}
      onChange={change}
      onFocus={(event) => {
        setText(shown(value))
        onFocus?.(event)
      }}
      onBlur={(event) => {
        setText(null)
        onText?.('', true)
        onBlur?.(event)
      }}
      inputMode="decimal"
      end={unit}
      invalid={invalid}
    />
  )
}

const shown = (value: number | undefined) => (value === undefined ? '' : String(value))

export interface SelectProps extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange'> {
  value: string
  onChange(value: string): void
  options: readonly { value: string; label: string }[]
}

export function Select({ value, onChange, options, className, ...rest }: SelectProps) {
  return (
    <span className={join(styles.field, styles.select, className)}>
      <select {...rest} value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map((each) => (
          <option key={each.value} value={each.value}>
            {each.label}
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
  disabled,
}: {
  checked: boolean
  onChange(checked: boolean): void
  label: string
  id?: string
  disabled?: boolean
}) {
  return (
    <button
      type="button"
      role="switch"
      id={id}
      disabled={disabled}
      aria-checked={checked}
      aria-label={label}
      className={styles.switch}
      onClick={() => onChange(!checked)}
    />
  )
}

/** One row of a property list: label 84 wide, its control, and beneath it what is wrong, or a hint. */
export function Property({ label, htmlFor, error, hint, children, wide }: PropertyProps) {
  return (
    <div className={styles.property} data-wide={wide || undefined}>
      <label htmlFor={htmlFor} className={styles.label} title={label}>
        {label}
      </label>
      <div className={styles.control}>{children}</div>
      {error !== undefined && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
      {error === undefined && hint !== undefined && hint !== '' && <p className={styles.hint}>{hint}</p>}
    </div>
  )
}

export interface PropertyProps {
  label: string
  htmlFor?: string
  error?: string
  hint?: string
  children: ReactNode
  /** The control takes the full width under its label. */
  wide?: boolean
}
