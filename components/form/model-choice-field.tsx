'use client'
/** A model other than the agent's own: its provider, its endpoint where it needs one, and its name. */
import { useModels, useProviders } from '#components/data/models'
import { propertiesOf } from '#components/drawing/describe'
import { useGraph } from '#components/drawing/graph-context'
import { modelAt } from '#components/models/entry'
import { isAdded } from '#components/models/provider-words'
import { Property, Select } from '#components/ui/field'
import { isObject, type JsonObject, type JsonValue } from '#lib/spec/json'
import type { Change } from './change'
import { EndpointField } from './endpoint-field'
import { type FieldFinding, findingOf, withKey } from './fields'
import { ModelField } from './model-field'
import { Nested } from './nested'

export interface ModelChoiceFieldProps {
  readonly id: string
  readonly label: string
  readonly hint: string
  readonly error: string | undefined
  readonly value: JsonValue | undefined
  readonly findings: readonly FieldFinding[]
  readonly onChange: Change
}

export function ModelChoiceField(props: ModelChoiceFieldProps) {
  const { id, label, hint, error, value, findings, onChange } = props
  const { kinds, providers } = useGraph((state) => state.catalog)
  const models = useModels().data?.items ?? []
  const endpoints = (useProviders().data?.items ?? []).filter(isAdded)
  const schema = kinds.find(({ out }) => out === 'model')?.schema ?? {}
  const held: JsonObject = isObject(value) ? value : {}
  const chosen = typeof held.provider === 'string' ? held.provider : ''
  const properties = chosen === '' ? {} : propertiesOf(schema, { provider: chosen })
  const choose = (provider: string) =>
    onChange(provider === '' ? undefined : modelAt({ provider, held, schema, models, endpoints, providers }))
  const change = (key: string) => (next: JsonValue | undefined) => onChange(withKey(held, key, next))
  return (
    <Nested label={label} hint={hint} {...(error !== undefined && findings.length === 0 && { error })}>
      <Property label="Provider" htmlFor={`${id}-provider`} error={findingOf(findings, 'provider')} hint="">
        <Select
          id={`${id}-provider`}
          value={chosen}
          onChange={choose}
          options={[
            { value: '', label: 'The agent’s own model' },
            ...providers.map((each) => ({ value: each.id, label: each.label })),
          ]}
        />
      </Property>
      {properties.endpoint !== undefined && (
        <EndpointField
          id={`${id}-endpoint`}
          label="Endpoint"
          hint=""
          error={findingOf(findings, 'endpoint')}
          value={held.endpoint}
          onChange={change('endpoint')}
        />
      )}
      {chosen !== '' && (
        <ModelField
          id={`${id}-name`}
          label="Model"
          hint=""
          error={findingOf(findings, 'name')}
          config={held}
          onChange={change('name')}
        />
      )}
    </Nested>
  )
}
