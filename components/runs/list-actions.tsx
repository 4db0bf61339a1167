'use client'
/** What can be done with the ticked runs, and the strip that takes a deletion back. */
import { useEffect, useRef } from 'react'
import { plural } from '#components/run/figures'
import { Button, ButtonLink, IconButton } from '#components/ui/button'
import { ErrorNote } from '#components/ui/notice'
import shared from '#components/ui/shared.module.css'
import styles from './list-actions.module.css'
import type { RunRemoval } from './use-removal'

export interface PickActionsProps {
  readonly picked: readonly string[]
  onDelete(): void
  onClear(): void
}

export function PickActions({ picked, onDelete, onClear }: PickActionsProps) {
  const [a, b] = picked
  const isPair = picked.length === 2 && a !== undefined && b !== undefined
  return (
    <div className={styles.bar} role="toolbar" aria-label="Selected runs">
      <span role="status">{plural(picked.length, 'run')} selected</span>
      {isPair ? (
        // The list shows the later run first; the comparison begins with the earlier one.
        <ButtonLink variant="plain" icon="columns-3" href={compareUrl(b, a)}>
          Compare
        </ButtonLink>
      ) : (
        <Button icon="columns-3" disabled title="Select two runs to compare them">
          Compare
        </Button>
      )}
      <Button icon="trash-2" onClick={onDelete}>
        Delete
      </Button>
      <Button variant="quiet" onClick={onClear}>
        Clear selection
      </Button>
    </div>
  )
}

export function compareUrl(a: string, b: string): string {
  return `/runs/compare?${new URLSearchParams({ a, b })}`
}

export function RemovalStrip({ removal: { removed, fault, undo, dismiss } }: { removal: RunRemoval }) {
  const button = useRef<HTMLButtonElement>(null)
  const count = removed?.ids.length ?? 0
  // The row or the button that had the focus is gone.
  useEffect(() => {
    if (count > 0) button.current?.focus({ preventScroll: true })
  }, [count])
  if (fault !== null) return <ErrorNote error={{ message: fault }} />
  if (removed === null) return null
  return (
    <div className={styles.strip}>
      <p role="status">
        {count > 0 && `${plural(count, 'run')} deleted. `}
        {removed.unfinished > 0 &&
          `${plural(removed.unfinished, 'run')} not deleted: a run can be deleted when it has ended. Cancel it first.`}
      </p>
      {count > 0 && (
        <>
          <span className={shared.quiet}>Later runs of the same conversations keep what they were sent.</span>
          <Button ref={button} icon="undo-2" onClick={() => void undo()}>
            Undo
          </Button>
        </>
      )}
      <IconButton icon="x" label="Dismiss" onClick={dismiss} />
    </div>
  )
}
