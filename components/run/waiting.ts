/** The calls of a run that wait for a person. Pure. */
import { phaseOf } from '#lib/agent/state/reading'
import type { CallState } from '#lib/spec/state'
import type { LiveRun } from './run-store'

export interface Waiting {
  readonly call: CallState
  readonly step: number
  /** Its position among the calls of its step, from 1. */
  readonly at: number
  /** Milliseconds since 1970; the same call may ask for approval more than once. */
  readonly askedAt: number
}

/** In a replay nobody can be answered. */
export function waitingCalls(run: LiveRun): readonly Waiting[] {
  if (run.state === null || run.replay !== null) return []
  const phase = phaseOf(run.state)
  if (phase.at !== 'waiting') return []
  const { step, waiting } = phase
  return waiting.map((call) => ({
    call,
    step: step.number,
    at: step.calls.indexOf(call) + 1,
    askedAt: call.approval?.askedAt ?? 0,
  }))
}

export function sameWaiting(a: readonly Waiting[], b: readonly Waiting[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ call, askedAt }, at) => call === b[at]?.call && askedAt === b[at]?.askedAt)
  )
}
