'use client'
/** An operation that is off, because its document has changed: what is different, and what a person decides. */
import { useMutation } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '#components/data/client'
import { Button } from '#components/ui/button'
import { Icon } from '#components/ui/icon'
import { ErrorNote } from '#components/ui/notice'
import { LineDiff } from '#components/versions/line-diff'
import { diffLines } from '#lib/graph/diff'
import type { JsonObject } from '#lib/spec/json'
import { type ChosenOperation, definitionLines } from './api-operations'
import styles from './api-operations-field.module.css'

interface ChangeProps {
  readonly operation: ChosenOperation
  readonly document: string
  onRemove(): void
  onSettle(next: JsonObject): void
}

export function OperationChange({ operation, document, onRemove, onSettle }: ChangeProps) {
  const { name, standing, definition } = operation
  const looking = useMutation({ mutationFn: () => api.openapiDocuments.resolve(document, [name]) })
  const [found] = looking.data?.items ?? []
  const now = found as JsonObject | undefined // cast: an operation is plain data
  return (
    <div className={styles.change} role="status">
      <p>
        <Icon name="triangle-alert" size={12} />
        {standing === 'gone'
          ? 'Off: the document no longer has it.'
          : 'Off: it has changed in the document since you chose it.'}
      </p>
      {standing === 'changed' && looking.data === undefined && (
        <Button size="s" disabled={looking.isPending} onClick={() => looking.mutate()}>
          Look at the change
        </Button>
      )}
      {looking.isError && <ErrorNote error={looking.error} />}
      {now !== undefined && (
        <>
          <Difference before={definition} after={now} />
          <div className={styles.buttons}>
            <Button size="s" onClick={() => onSettle(now)}>
              Use the new one
            </Button>
            <Button
              size="s"
              variant="quiet"
              // The hash says what a person has looked at; the definition stays.
              onClick={() => onSettle({ ...definition, hash: now.hash ?? '' })}
            >
              Keep the old one
            </Button>
          </div>
        </>
      )}
      {looking.isSuccess && now === undefined && <p>It can no longer be used. Remove it.</p>}
      {standing === 'gone' && (
        <Button size="s" onClick={onRemove}>
          Remove it
        </Button>
      )}
    </div>
  )
}

function Difference({ before, after }: { before: JsonObject; after: JsonObject }) {
  const lines = useMemo(() => diffLines(definitionLines(before), definitionLines(after)), [before, after])
  return <LineDiff lines={lines} label="What has changed" />
}
