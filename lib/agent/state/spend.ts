/** Adds the usage and cost of an answer to its step and its run. */
import type { EventOf } from '#lib/spec/event'
import type { Usage } from '#lib/spec/model'
import type { RunState, StepState } from '#lib/spec/state'
import { isCopied } from './fork-copied'

export function spend(
  state: RunState,
  step: StepState,
  { usage, costUsd, savedUsd }: Pick<EventOf<'model.retried'>, 'usage' | 'costUsd' | 'savedUsd'>,
): void {
  if (usage === undefined || isCopied(state)) return
  addUsage(step.usage, usage)
  if (typeof costUsd === 'number') step.costUsd = (step.costUsd ?? 0) + costUsd
  if (savedUsd !== undefined) step.savedUsd = (step.savedUsd ?? 0) + savedUsd
  spendInRun(state, { usage, costUsd, savedUsd })
}

/** Adds them to the run alone: what a run inside a call uses belongs to no step of the outer run. */
export function spendInRun(
  state: RunState,
  { usage, costUsd, savedUsd }: Pick<EventOf<'model.retried'>, 'usage' | 'costUsd' | 'savedUsd'>,
): void {
  if (usage === undefined || isCopied(state)) return
  if (savedUsd !== undefined) state.savedUsd = (state.savedUsd ?? 0) + savedUsd
  addUsage(state.usage, usage)
  if (typeof costUsd === 'number') state.costUsd = (state.costUsd ?? 0) + costUsd
}

function addUsage(sum: Usage, usage: Usage): void {
  sum.input += usage.input
  sum.output += usage.output
  if (usage.reasoning !== undefined) sum.reasoning = (sum.reasoning ?? 0) + usage.reasoning
  if (usage.cached !== undefined) sum.cached = (sum.cached ?? 0) + usage.cached
  if (usage.cacheWritten !== undefined) sum.cacheWritten = (sum.cacheWritten ?? 0) + usage.cacheWritten
  if (usage.estimated) sum.estimated = true
}
