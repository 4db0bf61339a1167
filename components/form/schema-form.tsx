'use client'
/** A form for any object with a JSON Schema: one row a key, in the schema's order. */
import type { JsonObject, JsonSchema, JsonValue } from '#lib/spec/json'
import { type Field, type FieldFinding, fieldsOf, findingOf, findingsUnder } from './fields'
import styles from './form.module.css'
import { FormField } from './form-field'

export interface SchemaFormProps {
  readonly schema: JsonSchema
  readonly value: JsonObject
  /** What is wrong, by its place in the value. */
  readonly findings: readonly FieldFinding[]
  /** Undefined takes the key away. */
  onChange(key: string, value: JsonValue | undefined): void
  /** Where the value stands in what the node holds; empty at its root. */
  readonly path?: string
  /** Left out: they are edited elsewhere. */
  readonly hidden?: readonly string[]
  /** Told where nothing is set, in place of a default. */
  readonly unset?: string
  /** Changes a field before it is drawn. */
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
