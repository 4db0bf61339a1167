'use client'
/** The OpenAPI document of an entry: one of those in Settings. */
import Link from 'next/link'
import { useApiDocuments } from '#components/data/apis'
import { Property, Select } from '#components/ui/field'
import shared from '#components/ui/shared.module.css'
import { documentNameIn } from './api-operations'
import type { ControlProps } from './change'
import styles from './form.module.css'

export function ApiDocumentField({ id, label, hint, error, value, onChange }: ControlProps) {
  const documents = useApiDocuments()
  const items = documents.data?.items ?? []
  const chosen = documentNameIn(value)
  const known = items.find(({ name }) => name === chosen)
  const isStrange = chosen !== '' && known === undefined && documents.isSuccess
  const choose = (name: string) => {
    const found = items.find((each) => each.name === name)
    if (found !== undefined) onChange({ name, hash: found.hash })
  }
  return (
    <>
      <Property label={label} htmlFor={id} error={error} hint={hint}>
        <Select
          id={id}
          value={chosen}
          onChange={choose}
          options={[
            ...(chosen === ''
              ? [{ value: '', label: items.length > 0 ? 'choose one' : 'none added yet' }]
              : []),
            ...(chosen !== '' && known === undefined
              ? [{ value: chosen, label: isStrange ? `${chosen} (not here)` : chosen }]
              : []),
            ...items.map(({ name, title }) => ({ value: name, label: `${name} · ${title}` })),
          ]}
        />
      </Property>
      {isStrange && (
        <p className={styles.aside} role="status">
          This server does not have the document. The chosen operations work without it.
        </p>
      )}
      <p className={styles.aside}>
        <Link className={shared.link} href="/settings#apis">
          {documents.isSuccess && (items.length === 0 || isStrange)
            ? 'Add a document in Settings'
            : 'APIs in Settings'}
        </Link>
      </p>
    </>
  )
}
