'use client'
/** A reference to a secret stored in Settings: a person chooses its name, and the value is never shown. */
import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { api } from '#components/data/client'
import { Property, Select, TextField } from '#components/ui/field'
import { Segmented } from '#components/ui/segmented'
import shared from '#components/ui/shared.module.css'
import { isObject, type JsonValue } from '#lib/spec/json'
import type { Change, ControlProps } from './change'
import styles from './form.module.css'

interface SecretFieldProps extends ControlProps {
  /** A plain text is allowed too. */
  readonly orText: boolean
}

const ways = [
  { value: 'text', label: 'Text' },
  { value: 'secret', label: 'Secret' },
]

export function SecretField({ id, label, hint, error, value, orText, onChange }: SecretFieldProps) {
  const isSecret = !orText || isObject(value)
  return (
    <Property label={label} htmlFor={id} error={error} hint={hint}>
      <div className={styles.stack}>
        {orText && (
          <Segmented
            label={`What ${label} is`}
            value={isSecret ? 'secret' : 'text'}
            options={ways}
            onChange={(way) => onChange(way === 'secret' ? { secret: '' } : '')}
            isField
          />
        )}
        {isSecret ? (
          <SecretNames id={id} chosen={nameOf(value)} onChange={onChange} />
        ) : (
          <TextField id={id} mono value={typeof value === 'string' ? value : ''} onChange={onChange} />
        )}
      </div>
    </Property>
  )
}

function nameOf(value: JsonValue | undefined): string {
  return isObject(value) && typeof value.secret === 'string' ? value.secret : ''
}

/** The names of the secrets in Settings; the value is `{"secret": name}`. */
export function SecretNames({ id, chosen, onChange }: { id: string; chosen: string; onChange: Change }) {
  const secrets = useQuery({ queryKey: ['secrets'], queryFn: ({ signal }) => api.secrets.list(signal) })
  const names = (secrets.data?.items ?? []).map((each) => each.name)
  const isStrange = chosen !== '' && !names.includes(chosen)
  return (
    <>
      <Select
        id={id}
        value={chosen}
        onChange={(name) => onChange(name === '' ? undefined : { secret: name })}
        options={[
          ...(chosen === ''
            ? [{ value: '', label: names.length > 0 ? 'choose one' : 'none added yet' }]
            : []),
          ...(isStrange
            ? [{ value: chosen, label: secrets.isSuccess ? `${chosen} (not stored here)` : chosen }]
            : []),
          ...names.map((name) => ({ value: name, label: name })),
        ]}
      />
      {secrets.isSuccess && (names.length === 0 || isStrange) && (
        <p className={shared.caption}>
          <Link className={shared.link} href="/settings#secrets">
            Add a secret in Settings
          </Link>
        </p>
      )}
    </>
  )
}
