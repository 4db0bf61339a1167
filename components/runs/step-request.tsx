'use client'
/**
 * The exact request that the model received in a step, rebuilt from stored data; rendered when a person opens
 * it.
 */
import type { UseQueryResult } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { plural } from '#components/run/figures'
import { curlOf } from '#components/trace/curl'
import { Skeleton } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { CopyButton } from '#components/ui/copy-button'
import { JsonText } from '#components/ui/json-text'
import { ErrorNote } from '#components/ui/notice'
import shared from '#components/ui/shared.module.css'
import type { RequestState } from '#lib/spec/state'
import type { StepRequest as AskedRequest } from '#lib/wire/runs'
import styles from './step-detail.module.css'

export interface StepRequestProps {
  readonly asked: UseQueryResult<AskedRequest>
  readonly request: RequestState
}

export function StepRequest({ asked: { data, error }, request: { counts, bytes, hash } }: StepRequestProps) {
  const [isOpen, setOpen] = useState(false)
  const curl = useMemo(() => (data === undefined ? null : curlOf(data)), [data])
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
        {curl !== null && <CopyButton isWide label="Copy as curl" text={() => curl} />}
        {data !== undefined && isOpen && (
          <span className={shared.quiet}>
            {data.exact ? 'Exactly as it was sent' : 'Not exact: a part it was sent with has changed since'}
          </span>
        )}
      </div>
      {isOpen && data === undefined && error === null && <Skeleton height={160} />}
      {isOpen && error !== null && <ErrorNote error={error} />}
      {isOpen && data !== undefined && <Body request={data.request} />}
    </section>
  )
}

function Body({ request }: { request: AskedRequest['request'] }) {
  const text = useMemo(() => JSON.stringify(request, null, 2), [request])
  return <JsonText text={text} />
}
