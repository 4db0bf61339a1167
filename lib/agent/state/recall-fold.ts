/** Folds what was read from memory and knowledge, and what was recorded: to its call, or to the run. */
import type { EventOf } from '#lib/spec/event'
import type { RunState } from '#lib/spec/state'

type Recalled = EventOf<'memory.retrieved' | 'knowledge.retrieved' | 'memory.recorded'>

export function recalled(state: RunState, event: Recalled): RunState {
  const { seq: _, step: __, parent: ___, callId, ...rest } = event
  const holder = callId === undefined ? state : state.calls.get(callId)
  if (holder === undefined) return state
  holder.recall ??= []
  holder.recall.push(rest)
  return state
}
