/** What a run knows of its thread: the dialogues of the finished runs before it. */

import { type HistoryLimits, isFull, weightOf } from '#lib/agent/request/window'
import { messagesOf } from '#lib/agent/state/dialogue'
import type { RunEvent } from '#lib/spec/event'
import type { Message } from '#lib/spec/message'
import type { RunStart, RunState } from '#lib/spec/state'
import type { RunRow, RunStore } from '#lib/spec/store'

/** The two functions of the engine that make a state out of events. */
export interface Folding {
  start(begin: RunStart): RunState
  fold(state: RunState, event: RunEvent): RunState
}

/** Folds `events` of the run `row` from its start, the thread's dialogue before it. */
export function stateOf(
  { start, fold }: Folding,
  row: RunRow,
  from: { history: readonly Message[]; events: readonly RunEvent[] },
): RunState {
  const { agent, input, threadId, historyThrough, forkedFrom } = row
  const [queued] = from.events
  const { files, earlier } = queued?.type === 'run.queued' ? queued : {}
  let state = start({
    agent,
    input,
    threadId,
    historyThrough,
    history: from.history,
    ...(files && { files }),
    ...(earlier && { earlier }),
    ...(forkedFrom && { forkedFrom }),
  })
  for (const event of from.events) state = fold(state, event)
  return state
}

/** A message that the window is sure to leave out: not read again, only counted. */
const unread: Message = { role: 'user', text: '' }

/**
 * Messages of the thread through `row.historyThrough`, oldest first. Read from the newest run back, and no further
 * than the run's own limits let the window look, so that a run late in a long thread costs no more than an early one.
 * Deltas are left on the disk, since they change no message (law 3).
 */
export function historyOf(
  engine: Folding,
  runs: RunStore,
  { row, limits }: { row: Pick<RunRow, 'historyThrough' | 'threadId'>; limits: HistoryLimits },
): Message[] {
  const newestFirst: Message[][] = []
  const read = { messages: 0, tokens: 0 }
  let earlier = 0
  for (let id = row.historyThrough; id !== null; ) {
    const before = runs.get(id)
    // A fork has the dialogue before it on record, since it was another thread's.
    if (before?.threadId !== row.threadId) {
      const known = runs.historyBefore(row.threadId)
      if (known === undefined) throw new Error(`the thread lacks its run ${id}`)
      newestFirst.push([...known])
      break
    }
    const state = stateOf(engine, before, { history: [], events: runs.settledEvents(id) })
    const messages = messagesOf(state)
    newestFirst.push(messages)
    const { messages: count, tokens } = weightOf(messages, limits)
    read.messages += count
    read.tokens += tokens
    // What this run has told of its own window is how many messages there are before it.
    const told = state.steps[0]?.truncated
    if (isFull(read, limits) && told !== undefined) {
      earlier = told.kept - 1 + told.dropped
      break
    }
    id = before.historyThrough
  }
  return [...Array.from({ length: earlier }, () => unread), ...newestFirst.toReversed().flat()]
}
