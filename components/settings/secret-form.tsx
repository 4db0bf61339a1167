'use client'
/**
 * A secret's name, value and permitted origins; a stored value is never shown and need not be typed again.
 */
import { type FormEvent, type RefObject, useId, useState } from 'react'
import { ApiError } from '#components/data/client'
import { Button } from '#components/ui/button'
import { Property, TextArea } from '#components/ui/field'
import { describeError, ErrorNote } from '#components/ui/notice'
import { type SaveSecret, type SecretView, secretName } from '#lib/wire/secrets'
import { originFault, originsOf } from './origins'
import { SecretField } from './secret-field'
import styles from './settings.module.css'
import { TextProperty } from './text-property'
import { useFormFocus } from './use-form-focus'

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
  const id = useId()
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
          id={`${id}-name`}
          label="Name"
          hint="As in WEATHER_KEY."
          error={faults.name}
          value={name}
          onChange={(text) => setName(text.toUpperCase().replace(/[\s-]/g, '_'))}
          mono
        />
      )}
      <Property
        label="Value"
        htmlFor={`${id}-value`}
        error={faults.value}
        hint="Stored encrypted on this server, never shown again."
      >
        <SecretField
          id={`${id}-value`}
          value={value}
          onChange={setValue}
          placeholder={secret === undefined ? '' : 'the value is kept; type to replace it'}
        />
      </Property>
      <Property
        label="Sent to"
        htmlFor={`${id}-origins`}
        error={faults.origins}
        hint="One origin per line, as in https://api.example.com. The value is not sent anywhere else."
      >
        <TextArea
          id={`${id}-origins`}
          mono
          rows={Math.max(2, typed.length + 1)}
          value={origins}
          onChange={setOrigins}
          spellCheck={false}
        />
      </Property>
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
