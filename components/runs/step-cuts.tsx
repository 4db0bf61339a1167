'use client'
/** What was cut from the run's own steps before the request of a step, why, and what replaces it. */
import { cutAuthor, cutReason, cutSizes, cutTitle, replacedSteps } from '#components/run/cut-words'
import { useFork } from '#components/run/fork-context'
import { Button } from '#components/ui/button'
import { LongText } from '#components/ui/long-text'
import shared from '#components/ui/shared.module.css'
import type { CompactionState, RunState, StepState } from '#lib/spec/state'
import styles from './step-detail.module.css'

export function StepCuts({ state, step }: { state: RunState; step: StepState }) {
  const { compacted = [] } = step
  const last = compacted.findLast(({ summary }) => summary !== undefined)
  return compacted.map((cut) => (
    <Cut key={cut.attempt} state={state} step={step.number} cut={cut} canChange={cut === last} />
  ))
}

interface CutProps {
  readonly state: RunState
  readonly step: number
  readonly cut: CompactionState
  /** A fork changes the summary that the request had. */
  readonly canChange: boolean
}

function Cut({ state, step, cut, canChange }: CutProps) {
  const fork = useFork()
  const { calls, summary } = cut
  const author = cutAuthor(cut)
  return (
    <section className={styles.section} aria-label="Cut from the context">
      <h3 className={styles.label}>Cut from the context</h3>
      <p>{cutTitle(cut)}.</p>
      <p className={shared.quiet}>
        {cutReason(cut)} {cutSizes(cut)} {summary === undefined && author}
      </p>
      {calls.length > 0 && (
        <ul className={styles.cut} aria-label="Results taken out">
          {calls.map((id) => (
            <li key={id}>
              <code>{id}</code> {state.calls.get(id)?.name}
            </li>
          ))}
        </ul>
      )}
      {summary !== undefined && (
        <>
          <h4 className={styles.label}>
            {replacedSteps(cut)}
            <span className={styles.note}>{author}</span>
          </h4>
          <LongText text={summary} />
          {fork !== null && canChange && (
            <span>
              <Button size="s" icon="git-fork" onClick={() => fork({ step, edit: 'summary' })}>
                Change in a fork
              </Button>
            </span>
          )}
        </>
      )}
    </section>
  )
}
