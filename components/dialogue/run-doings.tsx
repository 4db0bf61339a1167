'use client'
import { duration } from '#components/run/figures'
import { useRun } from '#components/run/run-context'
import type { LiveRun } from '#components/run/run-store'
import { useAhead } from '#components/run/use-ahead'
import { useNow } from '#components/run/use-now'
import { longestName, openCallWords, queuedWords } from '#components/run/wait-words'
import { isAwaiting } from '#components/trace/step-rows'
/** What a run does at the moment, each in a line: the step at work and for how long, and calls that wait for a person. */
import { Spinner } from '#components/ui/bits'
import { Icon } from '#components/ui/icon'
import { Line } from '#components/ui/line'
import styles from './run-box.module.css'

/** Whether a run has been asked for and is not over. */
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
          <span className={styles.what}>{doing.isQueued ? queuedWords(ahead) : doing.text}</span>
          {doing.since !== null && (
            <span className={styles.took}>{duration(Math.max(0, now - doing.since))}</span>
          )}
        </p>
      )}
      {waiting.map(({ id, name, node }) => (
        <p key={id} className={styles.doing} data-waits="">
          <Icon name="hand" size={14} />
          <span className={styles.what}>
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
  const calls = state?.finishedAt === undefined ? (state?.steps.at(-1)?.calls ?? []) : []
  return calls.filter((call) => call.status === 'waiting').map(({ id, name, node }) => ({ id, name, node }))
}

function doingNow({ state, connection }: LiveRun): Doing | null {
  if (state === null) return connection === 'starting' ? { text: 'Starting', since: null } : null
  if (state.finishedAt !== undefined) return null
  const step = state.steps.at(-1)
  if (step === undefined) {
    const isQueued = state.status === 'queued'
    return { text: 'Starting', since: state.queuedAt ?? null, isQueued }
  }
  const open = step.calls.filter((call) => call.result === undefined && call.status !== 'waiting')
  const said = (text: string, since: number | undefined) => ({
    text: `Step ${step.number}: ${text}`,
    since: since ?? step.startedAt,
  })
  if (open.length > 0) return said(openCallWords(open), open[0]?.startedAt ?? step.request?.at)
  if (step.calls.some((call) => call.status === 'waiting')) return null
  if (isAwaiting(step)) return said('waits, then asks the model again', step.retries.at(-1)?.at)
  return said('the model is thinking', step.request?.at)
}
