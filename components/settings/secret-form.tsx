'use client'
/**
 * A secret's name, value and permitted origins; a stored value is never shown and need not be typed again.
 */
import { type FormEvent, type RefObject, useState } from 'react'
import { ApiError } from '#components/data/client'
import { Button } from '#components/ui/button'
import { describeError, ErrorNote } from '#components/ui/notice'
import { useFormFocus } from '#components/ui/use-form-focus'
import { type SaveSecret, type SecretView, secretName } from '#lib/wire/secrets'
import { originFault, originsOf } from './origins'
import { LinesProperty, SecretProperty, TextProperty } from './properties'
import styles from './settings.module.css'

export interface SecretFormProps {
  /** Absent for a new secret. */
  readonly secret?: SecretView
  readonly taken: readonly string[]
  readonly isBusy: boolean
  readonly error: unknown
  readonly opener: RefObject<HTMLElement | null>
  onSave(name: string, body: SaveSecret): void
  onClose(): void
}

export function SecretForm({ secret, taken, isBusy, error, opener, onSave, onClose }: SecretFormProps) {
  const focus = useFormFocus(opener, onClose)
  const [name, setName] = useState(secret?.name ?? '')
  const [value, setValue] = useState('')
  const [origins, setOrigins] = useState((secret?.origins ?? []).join('\n'))
  const typed = originsOf(origins)
  const place = error instanceof ApiError ? error.path?.split('/')[0] : undefined
  const said = (field: string) => (place === field ? describeError(error).what : undefined)
  const faults = {
    name: secret === undefined ? (nameFault(name.trim(), taken) ?? said('name')) : undefined,
    value: said('value'),
    origins: originFault(typed) ?? said('origins'),
  }
  const isChanged = value !== '' || typed.join('\n') !== (secret?.origins ?? []).join('\n')
  const isReady =
    isChanged &&
    originFault(typed) === undefined &&
    (secret !== undefined || (value !== '' && name.trim() !== '' && faults.name === undefined))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady) onSave(name.trim(), { ...(value !== '' && { value }), origins: typed })
  }
  const isTold = place === 'name' || place === 'value' || place === 'origins'
  return (
    <form
      {...focus}
      className={secret === undefined ? styles.adding : styles.edit}
      onSubmit={submit}
      aria-label={secret === undefined ? 'Add a secret' : `Edit ${secret.name}`}
    >
      {secret === undefined && (
        <TextProperty
          label="Name"
          hint="As in WEATHER_KEY."
          error={faults.name}
          value={name}
          onChange={(text) => setName(text.toUpperCase().replace(/[\s-]/g, '_'))}
          mono
        />
      )}
      <SecretProperty
        label="Value"
        hint="Stored encrypted on this server, never shown again."
        error={faults.value}
        value={value}
        onChange={setValue}
        placeholder={secret === undefined ? '' : 'the value is kept; type to replace it'}
      />
      <LinesProperty
        label="Sent to"
        hint="One origin per line, as in https://api.example.com. The value is not sent anywhere else."
        error={faults.origins}
        value={origins}
        onChange={setOrigins}
        least={2}
      />
      {error !== null && error !== undefined && !isTold && <ErrorNote error={error} />}
      <div className={styles.buttons}>
        <Button type="submit" variant="primary" disabled={!isReady || isBusy}>
          {secret === undefined ? 'Add secret' : 'Save'}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

function nameFault(name: string, taken: readonly string[]): string | undefined {
  if (name === '') return undefined
  if (taken.includes(name)) return 'A secret with this name already exists. Edit it above.'
  const read = secretName.safeParse(name)
  return read.success ? undefined : `This must be ${read.error.issues[0]?.message ?? 'another name'}.`
}
