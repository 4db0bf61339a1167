/** The calls of a run that wait for a person. Pure. */
import type { CallState } from '#lib/spec/state'
import { type LiveRun, shownState } from './run-store'

export interface Waiting {
  readonly call: CallState
  readonly step: number
  /** Its place among the calls of its step, from 1. */
  readonly at: number
  /** Milliseconds since 1970; the same call may be asked about again. */
  readonly askedAt: number
}

/** A step's calls run together, so none waits before the last step; in a replay nobody can be answered. */
export function waitingCalls(run: LiveRun): readonly Waiting[] {
  const state = shownState(run)
  const step = state?.steps.at(-1)
  if (state === null || step === undefined || step.waiting === 0) return []
  if (state.finishedAt !== undefined || run.replay !== null) return []
  return step.calls.flatMap((call, index) =>
    call.status === 'waiting'
      ? [{ call, step: step.number, at: index + 1, askedAt: call.approval?.askedAt ?? 0 }]
      : [],
  )
}

export function sameWaiting(a: readonly Waiting[], b: readonly Waiting[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ call, askedAt }, at) => call === b[at]?.call && askedAt === b[at]?.askedAt)
  )
}
