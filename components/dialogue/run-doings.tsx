'use client'
/**
 * What a run is doing now, one line each: the current step with its duration, and calls that wait for a
 * person.
 */
import { duration } from '#components/run/figures'
import { useRun } from '#components/run/run-context'
import type { LiveRun } from '#components/run/run-store'
import { useAhead } from '#components/run/use-ahead'
import { useNow } from '#components/run/use-now'
import { longestName, openCallWords, queuedWords } from '#components/run/wait-words'
import { Spinner } from '#components/ui/bits'
import { Icon } from '#components/ui/icon'
import { Line } from '#components/ui/line'
import shared from '#components/ui/shared.module.css'
import { phaseOf, waitingCallsOf } from '#lib/agent/state/reading'
import type { StepState } from '#lib/spec/state'
import styles from './run-box.module.css'

/** Whether a run was started and is not over. */
export function isDoing({ state, connection }: LiveRun): boolean {
  return state === null ? connection === 'starting' : state.finishedAt === undefined
}

interface Doing {
  readonly text: string
  /** Milliseconds since 1970. */
  readonly since: number | null
  readonly isQueued?: boolean
}

export function Doings({ onReview }: { onReview: ((path: string) => void) | undefined }) {
  const doing = useRun(doingNow, same)
  const waiting = useRun(waitingNow, sameList)
  const now = useNow(doing?.since !== undefined)
  const ahead = useAhead()
  return (
    <div className={styles.doings}>
      {doing !== null && (
        <p className={styles.doing}>
          <Spinner size={14} />
          <span className={shared.cut}>{doing.isQueued ? queuedWords(ahead) : doing.text}</span>
          {doing.since !== null && (
            <span className={styles.took}>{duration(Math.max(0, now - doing.since))}</span>
          )}
        </p>
      )}
      {waiting.map(({ id, name, node }) => (
        <p key={id} className={styles.doing} data-waits="">
          <Icon name="hand" size={14} />
          <span className={shared.cut}>
            <Line text={name} limit={longestName} /> waits for you
          </span>
          {onReview !== undefined && node !== null && (
            <button type="button" className={styles.link} onClick={() => onReview?.(node)}>
              Review
            </button>
          )}
        </p>
      ))}
    </div>
  )
}

function same(a: Doing | null, b: Doing | null): boolean {
  return a?.text === b?.text && a?.since === b?.since && a?.isQueued === b?.isQueued
}

interface Waiting {
  readonly id: string
  readonly name: string
  readonly node: string | null
}

function sameList(a: readonly Waiting[], b: readonly Waiting[]): boolean {
  return a.length === b.length && a.every((each, index) => each.id === b[index]?.id)
}

function waitingNow({ state }: LiveRun): Waiting[] {
  return state === null ? [] : waitingCallsOf(state).map(({ id, name, node }) => ({ id, name, node }))
}

function doingNow({ state, connection }: LiveRun): Doing | null {
  if (state === null) return connection === 'starting' ? { text: 'Starting', since: null } : null
  const phase = phaseOf(state)
  switch (phase.at) {
    case 'ended':
      return null
    case 'new':
      return { text: 'Starting', since: null }
    case 'queued':
    case 'starting':
      return { text: 'Starting', since: phase.since ?? null, isQueued: phase.at === 'queued' }
    case 'waiting':
    case 'calling': {
      const { step, open } = phase
      const [first] = open
      return first === undefined
        ? null
        : stepDoing(step, openCallWords(open), first.startedAt ?? step.request?.at)
    }
    case 'retrying':
      return stepDoing(phase.step, 'waits, then asks the model again', phase.failed.at)
    case 'thinking':
    case 'answering':
      return stepDoing(phase.step, 'the model is thinking', phase.step.request?.at)
  }
  return phase satisfies never
}

function stepDoing({ number, startedAt }: StepState, what: string, since: number | undefined): Doing {
  return { text: `Step ${number}: ${what}`, since: since ?? startedAt }
}
