'use client'
/** The arguments of a call that waits, as a form; where their schema is not known, as JSON. */
import { useId, useMemo, useState } from 'react'
import { isObject } from '#components/canvas/describe'
import { Button } from '#components/ui/button'
import { problemsOf } from '#lib/graph/validate'
import type { JsonObject, JsonSchema, JsonValue } from '#lib/spec/json'
import styles from './ask-card.module.css'
import { fieldsOf, withKey } from './fields'
import { JsonField } from './json-field'
import { SchemaForm } from './schema-form'

export interface EditArgumentsProps {
  readonly args: JsonObject
  readonly parameters: JsonSchema | undefined
  readonly isSaying: boolean
  onBack(): void
  onApprove(args: JsonObject): void
}

export function EditArguments({ args, parameters, isSaying, onBack, onApprove }: EditArgumentsProps) {
  const id = useId()
  const [edited, setEdited] = useState<JsonValue>(args)
  const isKnown = parameters !== undefined && fieldsOf(parameters, args).length > 0
  const problems = useMemo(
    () => (isKnown && isObject(edited) ? problemsOf(edited, parameters) : []),
    [edited, isKnown, parameters],
  )
  const wrong = isObject(edited) ? undefined : 'Arguments are an object: {"name": value}.'
  return (
    <>
      {isKnown && isObject(edited) ? (
        <SchemaForm
          schema={parameters}
          value={edited}
          findings={problems}
          adapt={(field) => ({ ...field, label: field.key })}
          onChange={(key, next) => setEdited(withKey(edited, key, next))}
        />
      ) : (
        <JsonField
          id={id}
          label="Arguments"
          hint=""
          error={wrong}
          path="arguments"
          value={edited}
          onChange={(next) => setEdited(next ?? {})}
        />
      )}
      <div className={styles.actions}>
        <Button
          variant="primary"
          disabled={isSaying || problems.length > 0 || wrong !== undefined}
          onClick={() => isObject(edited) && onApprove(edited)}
        >
          Approve these
        </Button>
        <Button disabled={isSaying} onClick={onBack}>
          Back
        </Button>
      </div>
    </>
  )
}
