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
import { longestName } from '#components/run/wait-words'
import { Spinner } from '#components/ui/bits'
import { Icon } from '#components/ui/icon'
import { Line } from '#components/ui/line'
import shared from '#components/ui/shared.module.css'
import { type Phase, phaseOf, waitingCallsOf } from '#lib/agent/state/reading'
import { callingWords, doingNow } from './doing'
import { LiveThought } from './live-thought'
import styles from './run-box.module.css'

/** Whether a run was started and is not over. */
export function isDoing({ state, connection }: LiveRun): boolean {
  return state === null ? connection === 'starting' : state.finishedAt === undefined
}

interface Doing {
  readonly text: string
  /** Milliseconds since 1970. */
  readonly since: number | null
}

export interface DoingsProps {
  /** Whether the calls that wait are shown with their answers already. */
  readonly hasAsks: boolean
  readonly onReview: ((path: string) => void) | undefined
}

export function Doings({ hasAsks, onReview }: DoingsProps) {
  const ahead = useAhead()
  const doing = useRun((run) => doingOf(run, ahead), same)
  const waiting = useRun(waitingNow, sameList)
  const now = useNow(doing?.since !== undefined)
  return (
    <div className={styles.doings}>
      {doing !== null && (
        <p className={styles.doing}>
          <Spinner size={14} />
          <span className={shared.cut}>{doing.text}</span>
          {doing.since !== null && (
            <span className={styles.took}>{duration(Math.max(0, now - doing.since))}</span>
          )}
        </p>
      )}
      <LiveThought />
      {(hasAsks ? [] : waiting).map(({ id, name, node }) => (
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
  return a?.text === b?.text && a?.since === b?.since
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

/** What the run does without a person. */
function doingOf({ state, connection }: LiveRun, ahead: number | undefined): Doing | null {
  if (state === null) return connection === 'starting' ? { text: 'Starting', since: null } : null
  const phase = phaseOf(state)
  if (phase.at === 'waiting' && phase.open.length === 0) return null
  const text = phase.at === 'waiting' ? callingWords(phase) : doingNow(state, ahead)
  return text === null ? null : { text, since: sinceOf(phase) ?? null }
}

function sinceOf(phase: Phase): number | undefined {
  switch (phase.at) {
    case 'ended':
    case 'new':
      return undefined
    case 'queued':
    case 'starting':
      return phase.since
    case 'waiting':
    case 'calling':
      return phase.open[0]?.startedAt ?? phase.step.request?.at ?? phase.step.startedAt
    case 'retrying':
      return phase.failed.at
    case 'thinking':
    case 'answering':
      return phase.step.request?.at ?? phase.step.startedAt
  }
  return phase satisfies never
}
