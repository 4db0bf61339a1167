'use client'
/** The exact request the model got in a step, re-encoded from what is stored; fetched when somebody opens it. */
import { useState } from 'react'
import { plural } from '#components/trace/figures'
import { Skeleton } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { JsonText } from '#components/ui/json-text'
import { ErrorNote } from '#components/ui/notice'
import type { RequestState } from '#lib/spec/state'
import { CopyButton } from './copy-button'
import { useStepRequest } from './queries'
import styles from './step-detail.module.css'

export interface StepRequestProps {
  readonly runId: string
  readonly step: number
  readonly request: RequestState
}

export function StepRequest({ runId, step, request: { counts, bytes, hash } }: StepRequestProps) {
  const [isOpen, setOpen] = useState(false)
  const asked = useStepRequest(runId, step, isOpen)
  const text = asked.data === undefined ? null : JSON.stringify(asked.data.request, null, 2)
  return (
    <section className={styles.section} aria-label="Model request">
      <h3 className={styles.label}>
        Model request
        <span className={styles.note} title={`SHA-256 ${hash}`}>
          {plural(counts.messages, 'message')}, {plural(counts.tools, 'tool')}, {plural(bytes, 'byte')}
        </span>
      </h3>
      <div className={styles.actions}>
        <Button
          size="s"
          aria-expanded={isOpen}
          icon={isOpen ? 'chevron-down' : 'chevron-right'}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Hide request' : 'Show request'}
        </Button>
        {isOpen && text !== null && <CopyButton isWide label="Copy request" text={() => text} />}
        {asked.data !== undefined && isOpen && (
          <span className={styles.quiet}>
            {asked.data.exact
              ? 'Exactly as it was sent'
              : 'Not exact: a part it was sent with has changed since'}
          </span>
        )}
      </div>
      {isOpen && asked.isPending && <Skeleton height={160} />}
      {isOpen && asked.isError && <ErrorNote error={asked.error} />}
      {isOpen && text !== null && <JsonText text={text} />}
    </section>
  )
}
