'use client'
/** Where the requests of an API go: a person enters it, or takes one that the document proposes. */
import { useApiDocument } from '#components/data/apis'
import { Property, TextField } from '#components/ui/field'
import type { JsonValue } from '#lib/spec/json'
import { visible } from '#lib/spec/visible'
import { documentNameIn } from './api-operations'
import type { ControlProps } from './change'
import styles from './form.module.css'

interface AddressProps extends ControlProps {
  readonly document: JsonValue | undefined
}

/** Proposals shown at once. */
const few = 3

export function ApiAddressField({ id, label, hint, error, value, document, onChange }: AddressProps) {
  const detail = useApiDocument(documentNameIn(document))
  const chosen = typeof value === 'string' ? value : ''
  const proposed = (detail.data?.servers ?? []).filter(
    (each) => /^https?:\/\//.test(each) && each.replace(/\/+$/, '') !== chosen.replace(/\/+$/, ''),
  )
  return (
    <Property label={label} htmlFor={id} error={error} hint={hint}>
      <div className={styles.stack}>
        <TextField id={id} mono value={chosen} onChange={onChange} inputMode="url" spellCheck={false} />
        {proposed.slice(0, few).map((each) => (
          <button
            key={each}
            type="button"
            className={styles.proposal}
            title={`The document proposes this address: ${visible(each)}`}
            onClick={() => onChange(each.replace(/\/+$/, ''))}
          >
            Use {visible(each)}
          </button>
        ))}
      </div>
    </Property>
  )
}
