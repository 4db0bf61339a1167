'use client'
/** Changes the arguments of a waiting call before it is approved. */
import { useState } from 'react'
import { Button } from '#components/ui/button'
import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '#lib/spec/json'
import { ArgumentsForm, canSend } from './arguments-form'
import styles from './ask-card.module.css'

export interface EditArgumentsProps {
  readonly args: JsonObject
  readonly parameters: JsonSchema | undefined
  readonly isSaying: boolean
  onBack(): void
  onApprove(args: JsonObject): void
}

export function EditArguments({ args, parameters, isSaying, onBack, onApprove }: EditArgumentsProps) {
  const [edited, setEdited] = useState<JsonValue>(args)
  const form = { args, edited, parameters }
  return (
    <>
      <ArgumentsForm {...form} onChange={setEdited} />
      <div className={styles.actions}>
        <Button
          variant="primary"
          disabled={isSaying || !canSend(form)}
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
