/** Folds the questions of calls to models, and what they cost. */
import type { EventOf } from '#lib/spec/event'
import type { RunState } from '#lib/spec/state'
import { spend, spendInRun } from './spend'

/** Its usage counts for the step at work, which is a later one than its own for a call in the background. */
export function completionFinished(state: RunState, event: EventOf<'completion.finished'>): RunState {
  const { type: _, seq: __, step: ___, parent: ____, callId, ...completion } = event
  const call = state.calls.get(callId)
  if (call !== undefined) {
    call.completions ??= []
    call.completions.push(completion)
  }
  const step = state.steps.at(-1)
  if (step === undefined) spendInRun(state, event)
  else spend(state, step, event)
  return state
}
