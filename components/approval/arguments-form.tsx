'use client'
/** Lets a person write the arguments of a call: as a form, or as JSON when their schema is not known. */
import { useId, useMemo } from 'react'
import { fieldsOf, withKey } from '#components/form/fields'
import { JsonField } from '#components/form/json-field'
import { SchemaForm } from '#components/form/schema-form'
import { problemsOf } from '#lib/graph/validate'
import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '#lib/spec/json'

export interface ArgumentsFormProps {
  /** What the model wrote; it decides the form's fields, which stay the same while a person writes. */
  readonly args: JsonObject
  readonly edited: JsonValue
  readonly parameters: JsonSchema | undefined
  onChange(edited: JsonValue): void
}

export function ArgumentsForm({ args, edited, parameters, onChange }: ArgumentsFormProps) {
  const id = useId()
  const isKnown = parameters !== undefined && fieldsOf(parameters, args).length > 0
  const problems = useMemo(
    () => (isKnown && isObject(edited) ? problemsOf(edited, parameters) : []),
    [edited, isKnown, parameters],
  )
  if (isKnown && isObject(edited))
    return (
      <SchemaForm
        schema={parameters}
        value={edited}
        findings={problems}
        adapt={(field) => ({ ...field, label: field.key })}
        onChange={(key, next) => onChange(withKey(edited, key, next))}
      />
    )
  return (
    <JsonField
      id={id}
      label="Arguments"
      hint=""
      error={isObject(edited) ? undefined : 'Arguments are an object: {"name": value}.'}
      path="arguments"
      value={edited}
      onChange={(next) => onChange(next ?? {})}
    />
  )
}

/** Whether the arguments can be sent as they are. */
export function canSend({ args, edited, parameters }: Omit<ArgumentsFormProps, 'onChange'>): boolean {
  if (!isObject(edited)) return false
  const isKnown = parameters !== undefined && fieldsOf(parameters, args).length > 0
  return !isKnown || problemsOf(edited, parameters).length === 0
}
