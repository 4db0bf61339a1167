'use client'
/** Replies to a question with a form made from its JSON Schema, or with JSON when the schema has no fields. */
import { type ReactNode, useId, useState } from 'react'
import { fieldsOf, withKey } from '#components/form/fields'
import { JsonField } from '#components/form/json-field'
import { SchemaForm } from '#components/form/schema-form'
import { Button } from '#components/ui/button'
import { problemsOf } from '#lib/graph/validate'
import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '#lib/spec/json'
import styles from './ask-card.module.css'
import { firstValues, inFieldOrder } from './first-values'

export interface InputFormProps {
  readonly schema: JsonSchema
  readonly isSaying: boolean
  /** Buttons that are shown next to Send. */
  readonly children: ReactNode
  onSend(values: JsonObject): void
}

export function InputForm({ schema, isSaying, children, onSend }: InputFormProps) {
  const id = useId()
  const [values, setValues] = useState<JsonValue>(() => firstValues(schema))
  // A field that nobody has filled in yet is not marked as wrong before the first try to send.
  const [isTried, setTried] = useState(false)
  const isKnown = fieldsOf(schema, {}).length > 0
  const problems = isObject(values) ? problemsOf(values, schema) : []
  const isFit = isObject(values) && problems.length === 0
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (isFit && !isSaying) onSend(inFieldOrder(schema, values))
      }}
    >
      {isKnown && isObject(values) ? (
        <SchemaForm
          schema={schema}
          value={values}
          findings={isTried ? problems : []}
          onChange={(key, next) => setValues(withKey(values, key, next))}
        />
      ) : (
        <JsonField
          id={id}
          label="Values"
          hint=""
          error={
            isTried && !isFit ? (problems[0]?.message ?? 'Write an object: {"name": value}.') : undefined
          }
          path="values"
          value={values}
          onChange={(next) => setValues(next ?? {})}
        />
      )}
      <div className={styles.actions}>
        <Button type="submit" variant="primary" disabled={isSaying}>
          Send
        </Button>
        {children}
      </div>
    </form>
  )
}
