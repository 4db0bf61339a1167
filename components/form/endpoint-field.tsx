'use client'
/** The endpoint of a model: one of those added in Settings. */
import Link from 'next/link'
import { useProviders } from '#components/data/models'
import { isAdded } from '#components/models/provider-words'
import { Property, Select } from '#components/ui/field'
import shared from '#components/ui/shared.module.css'
import type { ControlProps } from './change'
import styles from './form.module.css'

export function EndpointField({ id, label, hint, error, value, onChange }: ControlProps) {
  const providers = useProviders()
  const added = (providers.data?.items ?? []).filter(isAdded)
  const chosen = typeof value === 'string' ? value : ''
  const isStrange = chosen !== '' && !added.some((each) => each.name === chosen)
  const options = [
    ...(chosen === '' ? [{ value: '', label: added.length > 0 ? 'choose one' : 'none added yet' }] : []),
    ...(isStrange
      ? [{ value: chosen, label: providers.isSuccess ? `${chosen} (not added here)` : chosen }]
      : []),
    ...added.map((each) => ({ value: each.name, label: each.label })),
  ]
  return (
    <>
      <Property label={label} htmlFor={id} error={error} hint={hint}>
        <Select
          id={id}
          value={chosen}
          onChange={(next) => onChange(next === '' ? undefined : next)}
          options={options}
        />
      </Property>
      {providers.isSuccess && (added.length === 0 || isStrange) && (
        <p className={styles.aside}>
          <Link className={shared.link} href="/settings#models">
            Add an endpoint in Settings
          </Link>
        </p>
      )}
    </>
  )
}
