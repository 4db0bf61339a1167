'use client'
/** The current plan of a run: each step with its state in a word, how many are done, and a way to change it. */
import { useState } from 'react'
import { planFigures, planStatusWords } from '#components/run/plan-words'
import { useRun } from '#components/run/run-context'
import { shownState } from '#components/run/run-store'
import { Button } from '#components/ui/button'
import { Icon } from '#components/ui/icon'
import { Line } from '#components/ui/line'
import { Words } from '#components/ui/long-text'
import shared from '#components/ui/shared.module.css'
import type { HeldPlan, PlanStep } from '#lib/spec/plan'
import { PlanEditor } from './plan-editor'
import styles from './plan-view.module.css'

export function PlanView() {
  const plan = useRun((run) => shownState(run)?.plan)
  const isOver = useRun((run) => run.state?.finishedAt !== undefined)
  const runId = useRun((run) => (run.replay === null ? run.runId : null))
  const [edited, setEdited] = useState<{ readonly runId: string; readonly from: HeldPlan } | null>(null)
  if (plan === undefined) return <p className={shared.empty}>This run has made no plan.</p>
  const isEditable = runId !== null && !isOver
  if (edited !== null && edited.runId === runId)
    return (
      <PlanEditor
        runId={runId}
        from={edited.from}
        now={plan}
        isOver={isOver}
        onClose={() => setEdited(null)}
      />
    )
  return (
    <div className={styles.plan} tabIndex={0} role="region" aria-label="Plan">
      <h3 className={styles.title}>
        <Line text={plan.title} />
        <span>{planFigures(plan)}</span>
        {plan.by === 'person' && <span>changed by you</span>}
        {isEditable && (
          <Button
            size="s"
            icon="pencil"
            className={styles.edit}
            onClick={() => setEdited({ runId, from: plan })}
          >
            Change the plan
          </Button>
        )}
      </h3>
      {plan.description && <Words text={plan.description} className={styles.about} />}
      {plan.expected && <Words text={`Expected: ${plan.expected}`} className={styles.about} />}
      <ol>
        {plan.steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps of a plan are identified by position
          <li key={index} data-status={step.status} data-live={!isOver || undefined}>
            <Icon name={planStatusWords[step.status].icon} size={14} />
            <span className={styles.text}>
              <Line text={step.text} limit={2_000} />
            </span>
            <span className={styles.word}>{planStatusWords[step.status].word}</span>
            {detailsOf(step).map((text) => (
              <Words key={text} text={text} className={styles.note} />
            ))}
          </li>
        ))}
      </ol>
      {plan.outcome && <Words text={`Outcome: ${plan.outcome}`} className={styles.about} />}
    </div>
  )
}

function detailsOf({ description, expected, note, outcome }: PlanStep): string[] {
  return [
    ...(description ? [description] : []),
    ...(expected ? [`Expected: ${expected}`] : []),
    ...(note ? [note] : []),
    ...(outcome ? [`Outcome: ${outcome}`] : []),
  ]
}
