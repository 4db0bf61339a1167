'use client'
/** Keys that a person names, with values that share a schema: headers, renamed tools. */
import type { ReactNode } from 'react'
import { IconButton } from '#components/ui/button'
import { isObject, type JsonSchema, type JsonValue } from '#lib/spec/json'
import type { ControlProps } from './change'
import { type Field, type FieldFinding, freshOf, withKey } from './fields'
import { Nested } from './nested'
import styles from './nested.module.css'
import { NewName } from './new-name'
import { SchemaForm } from './schema-form'

interface MapFieldProps extends ControlProps {
  readonly field: Extract<Field, { control: 'map' }>
  readonly path: string
  /** Shown at the right of the name. */
  readonly end?: ReactNode
  readonly findings: readonly FieldFinding[]
}

export function MapField({ field, label, hint, path, value, error, findings, end, onChange }: MapFieldProps) {
  const held = isObject(value) ? value : {}
  const set = (key: string, next: JsonValue | undefined) => {
    const after = withKey(held, key, next)
    onChange(Object.keys(after).length === 0 && !field.isRequired ? undefined : after)
  }
  return (
    <Nested label={label} hint={hint} error={findings.length === 0 ? error : undefined} end={end}>
      {Object.keys(held).map((key) => (
        <div key={key} className={styles.pair}>
          <SchemaForm
            schema={one(key, field.schema)}
            value={held}
            findings={findings}
            path={path}
            onChange={(_, next) => set(key, next ?? freshOf(field.schema))}
          />
          <IconButton icon="x" size="s" label={`Remove ${key}`} onClick={() => set(key, undefined)} />
        </div>
      ))}
      <NewName
        placeholder="add a name"
        label={`Name to add to ${label}`}
        action={`Add to ${label}`}
        isTaken={(key) => held[key] !== undefined}
        onAdd={(key) => set(key, freshOf(field.schema))}
      />
    </Nested>
  )
}

/** A schema for a single key, titled by its name. */
function one(key: string, schema: JsonSchema): JsonSchema {
  return { type: 'object', properties: { [key]: { ...schema, title: key } }, required: [key] }
}
