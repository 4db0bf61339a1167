/** What a run knows of its thread: the dialogues of the finished runs before it. */
import { messagesOf } from '#lib/agent/dialogue'
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
  const { agent, input, threadId, historyThrough } = row
  let state = start({ agent, input, threadId, historyThrough, history: from.history })
  for (const event of from.events) state = fold(state, event)
  return state
}

/** Messages of the thread through `row.historyThrough`. Deltas are left on the disk, since they change no message (law 3). */
export function historyOf(
  engine: Folding,
  runs: RunStore,
  row: Pick<RunRow, 'threadId' | 'historyThrough'>,
): Message[] {
  if (row.historyThrough === null) return []
  const messages: Message[] = []
  for (const { id, agent, input, threadId } of runs.ofThread(row.threadId, row.historyThrough)) {
    let state = engine.start({ agent, input, threadId, historyThrough: null, history: [] })
    for (const event of runs.settledEvents(id)) state = engine.fold(state, event)
    for (const message of messagesOf(state)) messages.push(message)
  }
  return messages
}
