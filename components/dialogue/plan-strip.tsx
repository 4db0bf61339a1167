'use client'
/** The plan of the followed run in the dialogue: how far it is, and its steps when a person opens it. */
import { useId, useState } from 'react'
import { planFigures, planNow, planStatusWords } from '#components/run/plan-words'
import { useRun } from '#components/run/run-context'
import { FoldButton } from '#components/ui/fold-button'
import { Icon } from '#components/ui/icon'
import { Line } from '#components/ui/line'
import styles from './plan-strip.module.css'

export function PlanStrip() {
  const plan = useRun((run) => run.state?.plan)
  const isOver = useRun((run) => run.state?.finishedAt !== undefined)
  const [opened, setOpened] = useState<boolean | null>(null)
  const id = useId()
  if (plan === undefined) return null
  // While the run goes on the steps are what a person waits for.
  const isOpen = opened ?? !isOver
  const now = planNow(plan)
  return (
    <section className={styles.strip} aria-label="Plan">
      <FoldButton
        icon={<Icon name="list-checks" size={14} />}
        title={plan.title}
        aside={planFigures(plan)}
        isOpen={isOpen}
        controls={id}
        onToggle={() => setOpened(!isOpen)}
      />
      {!isOpen && now !== '' && !isOver && (
        <p className={styles.now}>
          <Line text={now} />
        </p>
      )}
      {isOpen && (
        <ol id={id} className={styles.steps}>
          {plan.steps.map(({ text, status }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps of a plan are identified by position
            <li key={index} data-status={status}>
              <Icon name={planStatusWords[status].icon} size={14} />
              <span>
                <Line text={text} limit={500} />
                <span className={styles.word}>, {planStatusWords[status].word}</span>
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
