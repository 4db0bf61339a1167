'use client'
/** A form for any object with a JSON Schema: one row per key, in the schema's order. */
import { type ReactNode, useState } from 'react'
import { Icon } from '#components/ui/icon'
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
  /** Keys that come before all others, in this order. */
  readonly first?: readonly string[]
  /** Keys behind a button at the end of the form. */
  readonly more?: readonly string[]
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
  first = none,
  more = none,
  unset,
  adapt = (field) => field,
}: SchemaFormProps) {
  const fields = fieldsOf(schema, value).filter((each) => !hidden.includes(each.key))
  const later = fields.filter((each) => more.includes(each.key))
  const row = (each: Field) => (
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
  )
  return (
    <div className={styles.props}>
      {inOrder(fields, first)
        .filter((each) => !later.includes(each))
        .map(row)}
      {later.length > 0 && (
        <More
          labels={later.map((each) => each.label)}
          isNeeded={later.some((each) => findingOf(findings, each.key) !== undefined)}
        >
          {later.map(row)}
        </More>
      )}
    </div>
  )
}

const none: readonly string[] = []

function inOrder(fields: readonly Field[], first: readonly string[]): readonly Field[] {
  const place = ({ key }: Field) => (first.includes(key) ? first.indexOf(key) : first.length)
  return fields.toSorted((a, b) => place(a) - place(b))
}

/** Opened by a person, or because a field in it has an error. */
function More({
  labels,
  isNeeded,
  children,
}: {
  labels: readonly string[]
  isNeeded: boolean
  children: ReactNode
}) {
  const [isAsked, setAsked] = useState(false)
  const isOpen = isAsked || isNeeded
  return (
    <>
      <button type="button" className={styles.more} aria-expanded={isOpen} onClick={() => setAsked(!isOpen)}>
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={12} />
        More
        {!isOpen && <span className={styles.later}>{labels.join(', ')}</span>}
      </button>
      {isOpen && children}
    </>
  )
}
