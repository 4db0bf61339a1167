'use client'
/** Rejects a call with a reason, which the model reads. */
import { useEffect, useId, useRef, useState } from 'react'
import { Button } from '#components/ui/button'
import { Property, TextArea } from '#components/ui/field'
import styles from './ask-card.module.css'

export interface RejectFormProps {
  readonly isSaying: boolean
  onBack(): void
  /** Empty when no reason was given. */
  onReject(reason: string): void
}

export function RejectForm({ isSaying, onBack, onReject }: RejectFormProps) {
  const id = useId()
  const [reason, setReason] = useState('')
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector<HTMLElement>('textarea')?.focus(), [])
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault()
        onReject(reason.trim())
      }}
    >
      <Property label="Reason" htmlFor={id} hint="The model reads it. You can leave it empty." wide>
        <TextArea
          id={id}
          rows={3}
          maxLength={2_000}
          value={reason}
          onChange={setReason}
          onKeyDown={(event) => {
            if (event.key === 'Escape') {
              // During a run, Escape outside of a field stops it.
              event.preventDefault()
              onBack()
            }
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
            // In the builder, this key runs the question otherwise.
            event.preventDefault()
            event.currentTarget.form?.requestSubmit()
          }}
        />
      </Property>
      <div className={styles.actions}>
        <Button disabled={isSaying} onClick={onBack}>
          Back
        </Button>
        <Button type="submit" className={styles.last} icon="ban" disabled={isSaying}>
          Reject
        </Button>
      </div>
    </form>
  )
}
