'use client'
/** A call that waits for a person, told where the answer will stand; it is decided on the page of the run. */
import Link from 'next/link'
import { argumentsText } from '#components/trace/figures'
import { useRun } from '#components/trace/run-context'
import { Icon } from '#components/ui/icon'
import styles from './chat.module.css'

export function WaitingNote({ runId }: { runId: string | null }) {
  const call = useRun(({ state }) => state?.steps.at(-1)?.calls.find((each) => each.status === 'waiting'))
  return (
    <div className={styles.waiting} role="status">
      <Icon name="hand" size={14} className={styles.waitingMark} />
      <p>
        <b>Waiting for you.</b>{' '}
        {call !== undefined && (
          <>
            <code>{call.name}</code> asks before it runs
            {call.args !== undefined && <span>: {argumentsText(call.args)}</span>}
          </>
        )}
      </p>
      {runId !== null && (
        <Link className={styles.link} href={`/runs/${encodeURIComponent(runId)}`}>
          Open the run
        </Link>
      )}
    </div>
  )
}
