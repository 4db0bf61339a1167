'use client'
/** A form for any object with a JSON Schema: one row per key, in the schema's order. */
import type { JsonObject, JsonSchema, JsonValue } from '#lib/spec/json'
import { type Field, type FieldFinding, fieldsOf, findingOf, findingsUnder } from './fields'
import styles from './form.module.css'
import { FormField } from './form-field'

export interface SchemaFormProps {
  readonly schema: JsonSchema
  readonly value: JsonObject
  /** What is wrong, by its path within the value. */
  readonly findings: readonly FieldFinding[]
  /** Undefined removes the key. */
  onChange(key: string, value: JsonValue | undefined): void
  /** The path of the value within the node's settings; empty at the root. */
  readonly path?: string
  /** Keys that are left out because they are edited elsewhere. */
  readonly hidden?: readonly string[]
  /** Shown when nothing is set, in place of a default. */
  readonly unset?: string
  /** Changes a field before it is rendered. */
  readonly adapt?: (field: Field) => Field
}

export function SchemaForm({
  schema,
  value,
  findings,
  onChange,
  path = '',
  hidden = [],
  unset,
  adapt = (field) => field,
}: SchemaFormProps) {
  return (
    <div className={styles.props}>
      {fieldsOf(schema, value)
        .filter((each) => !hidden.includes(each.key))
        .map((each) => (
          <FormField
            key={each.key}
            field={adapt(each)}
            value={value[each.key]}
            holder={value}
            path={path === '' ? each.key : `${path}/${each.key}`}
            error={findingOf(findings, each.key)}
            findings={findingsUnder(findings, each.key)}
            unset={unset}
            onChange={(next) => onChange(each.key, next)}
          />
        ))}
    </div>
  )
}
