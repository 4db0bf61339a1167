'use client'
/** The last two lines of what the model is thinking, as they arrive; nothing once it writes its answer. */
import { useRun } from '#components/run/run-context'
import type { LiveRun } from '#components/run/run-store'
import { phaseOf } from '#lib/agent/state/reading'
import { lineOf } from '#lib/spec/line'
import styles from './live-thought.module.css'

/** Characters: more than two lines of the widest chat. */
const shownLength = 400

export function LiveThought() {
  const text = useRun(thoughtNow)
  if (text === '') return null
  return (
    <div className={styles.thought} aria-hidden="true" data-testid="thought">
      <p>{text}</p>
    </div>
  )
}

function thoughtNow({ state }: LiveRun): string {
  if (state === null) return ''
  const phase = phaseOf(state)
  return phase.at === 'thinking' ? lineOf(phase.step.live.reasoning.slice(-shownLength).trim()) : ''
}
