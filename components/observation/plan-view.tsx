'use client'
/** The current plan of a run: each step with its state in a word, and how many are done. */
import { useRun } from '#components/run/run-context'
import { shownState } from '#components/run/run-store'
import { Icon } from '#components/ui/icon'
import { Line } from '#components/ui/line'
import { Words } from '#components/ui/long-text'
import shared from '#components/ui/shared.module.css'
import type { Plan } from '#lib/spec/plan'
import styles from './plan-view.module.css'

type Status = Plan['steps'][number]['status']

const words: Readonly<Record<Status, { word: string; icon: string }>> = {
  todo: { word: 'to do', icon: 'circle' },
  in_progress: { word: 'in progress', icon: 'loader-circle' },
  done: { word: 'done', icon: 'circle-check' },
  blocked: { word: 'blocked', icon: 'circle-x' },
  abandoned: { word: 'abandoned', icon: 'circle-minus' },
}

export function PlanView() {
  const plan = useRun((run) => shownState(run)?.plan)
  const isOver = useRun((run) => run.state?.finishedAt !== undefined)
  if (plan === undefined) return <p className={shared.empty}>This run has made no plan.</p>
  const done = plan.steps.filter((each) => each.status === 'done').length
  return (
    <div className={styles.plan} tabIndex={0} role="region" aria-label="Plan">
      <h3 className={styles.title}>
        <Line text={plan.title} />
        <span>
          {done} of {plan.steps.length} done
        </span>
      </h3>
      <ol>
        {plan.steps.map(({ text, status, note }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps of a plan are identified by position
          <li key={index} data-status={status} data-live={!isOver || undefined}>
            <Icon name={words[status].icon} size={14} />
            <span className={styles.text}>
              <Line text={text} limit={2_000} />
            </span>
            <span className={styles.word}>{words[status].word}</span>
            {note !== undefined && <Words text={note} className={styles.note} />}
          </li>
        ))}
      </ol>
    </div>
  )
}
