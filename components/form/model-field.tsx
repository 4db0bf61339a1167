'use client'
/** The name of a model: any name may be typed, and the provider's known models are suggested. */
import Link from 'next/link'
import { useModels } from '#components/data/models'
import { propertiesOf } from '#components/drawing/describe'
import { entryOf, namesOf } from '#components/models/entry'
import { TestHere } from '#components/models/test-here'
import { ComboField } from '#components/ui/combo-field'
import { Property } from '#components/ui/field'
import shared from '#components/ui/shared.module.css'
import type { JsonObject } from '#lib/spec/json'
import type { ControlProps } from './change'
import styles from './form.module.css'
import { useFormNode } from './form-context'

interface ModelFieldProps extends Omit<ControlProps, 'value'> {
  /** The node's settings, for the provider and the endpoint. */
  readonly config: JsonObject
}

export function ModelField({ id, label, hint, error, config, onChange }: ModelFieldProps) {
  const models = useModels()
  const about = useFormNode()
  const { provider, endpoint, name } = config
  const entry = entryOf(config)
  // Which models there are follows from the endpoint, so that is asked for first.
  const wantsEndpoint = about !== null && propertiesOf(about.kind.schema, config).endpoint !== undefined
  const isPlaced = !wantsEndpoint || typeof endpoint === 'string'
  const names = namesOf(models.data?.items ?? [], {
    provider: typeof provider === 'string' ? provider : '',
    ...(typeof endpoint === 'string' && { endpoint }),
  })
  return (
    <>
      <Property label={label} htmlFor={id} error={error} hint={hint}>
        <ComboField
          id={id}
          value={typeof name === 'string' ? name : ''}
          onChange={(typed) => onChange(typed === '' ? undefined : typed)}
          suggestions={names}
          placeholder={names.length > 0 ? 'choose or type' : 'name of the model'}
        />
      </Property>
      {isPlaced && models.isSuccess && names.length === 0 && (
        <p className={styles.aside}>
          No models of this provider are known yet.{' '}
          <Link className={shared.link} href="/settings#models">
            Set it up and test it in Settings
          </Link>
        </p>
      )}
      {entry !== null && <TestHere key={JSON.stringify(entry)} entry={entry} />}
    </>
  )
}
