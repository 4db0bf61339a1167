'use client'
/** The body of a request: fields with a value each, or any JSON. */
import { useState } from 'react'
import { Segmented } from '#components/ui/segmented'
import { httpValue } from '#lib/spec/http'
import { toJsonSchema } from '#lib/spec/json'
import type { ControlProps } from './change'
import type { Field, FieldFinding } from './fields'
import { holdsFields } from './http-body'
import { JsonField } from './json-field'
import { MapField } from './map-field'

interface HttpBodyProps extends ControlProps {
  readonly field: Extract<Field, { control: 'http-body' }>
  readonly path: string
  readonly findings: readonly FieldFinding[]
}

const ways = [
  { value: 'fields', label: 'Fields' },
  { value: 'json', label: 'JSON' },
]

const valueSchema = toJsonSchema(httpValue)

export function HttpBodyField({ field, findings, ...control }: HttpBodyProps) {
  const { label, value } = control
  const [way, setWay] = useState(holdsFields(value) ? 'fields' : 'json')
  const isFields = way === 'fields' && holdsFields(value)
  const switcher = holdsFields(value) && (
    <Segmented label={`How ${label} is edited`} size="s" value={way} options={ways} onChange={setWay} />
  )
  if (!isFields)
    return (
      <div>
        {switcher}
        <JsonField {...control} />
      </div>
    )
  return (
    <MapField
      {...control}
      hint="Each field has a value. Choose JSON for lists and nested objects."
      findings={findings}
      end={switcher}
      field={{ ...field, control: 'map', schema: valueSchema }}
    />
  )
}
