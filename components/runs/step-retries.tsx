/** The failed requests of a step that were retried: the reason, and the length of the wait. */

import { count, wholeDuration } from '#components/run/figures'
import { Line } from '#components/ui/line'
import type { StepState } from '#lib/spec/state'
import styles from './step-detail.module.css'

export function StepRetries({ step }: { step: StepState }) {
  const { retries } = step
  if (retries.length === 0) return null
  const failed = retries.filter(({ code }) => code !== 'resting').length
  return (
    <section className={styles.section} aria-label="Failed attempts">
      <h3 className={styles.label}>
        Failed attempts
        <span className={styles.note}>
          {count(failed)}
          {step.answeredAt !== undefined && ', then an answer came'}
        </span>
      </h3>
      <ol className={styles.attempts}>
        {retries.map(({ attempt, code, reason, waitMs, at }) => (
          <li key={at}>
            <b>{code === 'resting' ? 'Paused' : `Attempt ${attempt}`}</b> <Line text={reason} limit={1_000} />
            <span>{waitMs === 0 ? 'retried at once' : `waits ${wholeDuration(waitMs)}`}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
