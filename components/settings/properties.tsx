'use client'
/**
 * The fields of the forms in Settings, each under its label: a text, a secret, seconds, a list with one entry a line.
 * The browser neither completes nor corrects what is typed.
 */
import { type ReactNode, useId } from 'react'
import { Property, TextArea, TextField } from '#components/ui/field'
import { NumberProperty } from '#components/ui/number-property'
import { SecretField } from './secret-field'
import styles from './settings.module.css'

interface FieldPropertyProps {
  readonly label: string
  readonly hint: string
  readonly error?: string | undefined
  readonly value: string
  onChange(value: string): void
  readonly placeholder?: string
}

interface TextPropertyProps extends FieldPropertyProps {
  readonly disabled?: boolean
  readonly mono?: boolean
  readonly inputMode?: 'url'
}

export function TextProperty({ label, hint, error, ...field }: TextPropertyProps) {
  const id = useId()
  return (
    <Property label={label} htmlFor={id} error={error} hint={hint}>
      <TextField {...field} id={id} autoComplete="off" spellCheck={false} />
    </Property>
  )
}

interface SecretPropertyProps extends FieldPropertyProps {
  /** A button at the right of the field. */
  readonly beside?: ReactNode
}

export function SecretProperty({ label, hint, error, beside, ...field }: SecretPropertyProps) {
  const id = useId()
  return (
    <Property label={label} htmlFor={id} error={error} hint={hint}>
      <div className={styles.keyRow}>
        <SecretField {...field} id={id} />
        {beside}
      </div>
    </Property>
  )
}

interface LinesPropertyProps extends FieldPropertyProps {
  /** The fewest lines that are shown. */
  readonly least?: number
}

interface SecondsPropertyProps {
  readonly label: string
  readonly hint: string
  readonly error?: string | undefined
  readonly value: number | undefined
  /** What holds when nothing is set. */
  readonly usual: number
  onChange(value: number | undefined): void
}

/** At most an hour. */
export function SecondsProperty({ usual, ...field }: SecondsPropertyProps) {
  return (
    <NumberProperty {...field} unit="s" placeholder={String(usual)} min={1} max={3_600} fallback={usual} />
  )
}

/** It grows with its lines. */
export function LinesProperty({ label, hint, error, least = 1, ...field }: LinesPropertyProps) {
  const id = useId()
  const rows = Math.min(8, Math.max(least, field.value.split('\n').length))
  return (
    <Property label={label} htmlFor={id} error={error} hint={hint}>
      <TextArea {...field} id={id} rows={rows} autoComplete="off" spellCheck={false} mono />
    </Property>
  )
}
