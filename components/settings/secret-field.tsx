'use client'
/** An input for a key or secret: hidden unless revealed, never saved by the browser, never shown again. */
import { useState } from 'react'
import { IconButton } from '#components/ui/button'
import { TextField } from '#components/ui/field'

export interface SettingsSecretProps {
  readonly id: string
  readonly value: string
  onChange(value: string): void
  readonly placeholder?: string
}

export function SecretField({ id, value, placeholder, onChange }: SettingsSecretProps) {
  const [isShown, setShown] = useState(false)
  return (
    <TextField
      id={id}
      value={value}
      placeholder={placeholder}
      onChange={onChange}
      type={isShown ? 'text' : 'password'}
      mono
      // Otherwise password managers offer to save it as a login of this page.
      autoComplete="new-password"
      spellCheck={false}
      end={
        <IconButton
          icon={isShown ? 'eye-off' : 'eye'}
          size="s"
          label={isShown ? 'Hide what is typed' : 'Show what is typed'}
          pressed={isShown}
          onClick={() => setShown(!isShown)}
        />
      }
    />
  )
}
