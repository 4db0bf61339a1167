/** Folds the cuts of a run's own dialogue, and what they cost. */
import type { EventOf } from '#lib/spec/event'
import type { RunState, StepState } from '#lib/spec/state'
import { spend } from './spend'

/** The code of a request that the provider refused as too long for the model. */
export const tooLong = 'context_length'

export function contextCompacted(
  state: RunState,
  step: StepState,
  event: EventOf<'context.compacted'>,
): RunState {
  const { type: _, seq: __, step: ___, parent: ____, ...cut } = event
  const attempt = (step.request?.attempt ?? 0) + 1
  const refused = awaitsCut(step)
  step.compacted ??= []
  step.compacted.push({ ...cut, attempt, refused })
  state.isCut = true
  spend(state, step, event)
  return state
}

/** How often the provider refused this step's request as too long. */
export function refusalsOf({ retries }: Pick<StepState, 'retries'>): number {
  return retries.filter(({ code }) => code === tooLong).length
}

/** Whether the provider refused this step's request as too long, and it was not cut since. */
export function awaitsCut(step: Pick<StepState, 'retries' | 'compacted'>): boolean {
  const cut = step.compacted?.filter((each) => each.refused).length ?? 0
  return refusalsOf(step) > cut
}
