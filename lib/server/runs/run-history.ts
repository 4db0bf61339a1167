/** What a run knows of its thread: the messages of the finished runs before it. */

import { type HistoryLimits, isFull, weightOf } from '#lib/agent/request/window'
import { messagesOf } from '#lib/agent/state/dialogue'
import { AppError } from '#lib/spec/errors'
import type { RunEvent } from '#lib/spec/event'
import type { Message } from '#lib/spec/message'
import type { RunStart, RunState } from '#lib/spec/state'
import type { EventText, RunRow, RunStore } from '#lib/spec/store'
import type { RunView } from '#lib/wire/runs'
import { type KnownTurn, recentTurns } from './recent-turns'

/** The two functions of the engine that make a state from events. */
export interface Folding {
  start(begin: RunStart): RunState
  fold(state: RunState, event: RunEvent): RunState
}

/** Folds `events` of the run `row`, starting from the messages of its thread before it. */
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

/** The run's own messages, as far as its events are stored. */
export function messagesOfRun(
  engine: Folding,
  runs: RunStore,
  row: RunRow,
): NonNullable<RunView['messages']> {
  const state = stateOf(engine, row, { history: [], events: runs.settledEvents(row.id) })
  return messagesOf(state).map((each) =>
    each.role === 'assistant' ? { role: each.role, parts: [...each.parts] } : each,
  )
}

/** Takes the place of a message that the window surely leaves out: it is counted, but not read again. */
const unread: Message = { role: 'user', text: '' }

/**
 * Messages of the thread through `row.historyThrough`, oldest first. Runs are read from the newest
 * one back, only as far as the run's own limits let the window reach, so a run late in a long thread
 * costs no more than an early one.
 * Deltas stay on the disk, since they change no message (law 3).
 */
export function historyOf(
  engine: Folding,
  runs: RunStore,
  { row, limits }: { row: RunRow; limits: HistoryLimits },
): Message[] {
  // Read again: a run before this one may have been deleted since `row` was read.
  const { between, historyThrough } = runs.placeOf(row.id) ?? { ...row, between: [] }
  const newestFirst: (readonly Message[])[] = [between]
  const turns = recentTurns(runs)
  const read = { messages: 0, tokens: 0 }
  let earlier = 0
  for (let id = historyThrough; id !== null; ) {
    const before = runs.placeOf(id)
    // A fork stores the messages before it, since they belong to another thread.
    if (before?.threadId !== row.threadId) {
      const known = runs.historyBefore(row.threadId)
      if (known === undefined) throw new Error(`the thread lacks its run ${id}`)
      newestFirst.push(known)
      break
    }
    const { messages, truncated } = turns.get(id) ?? readTurn(engine, runs, id)
    newestFirst.push(messages)
    const { messages: count, tokens } = weightOf(messages, limits)
    read.messages += count
    read.tokens += tokens
    // That run recorded the size of its own window, which tells how many messages come before it.
    if (isFull(read, limits) && truncated !== undefined) {
      earlier = truncated.kept - 1 + truncated.dropped
      break
    }
    newestFirst.push(before.between)
    id = before.historyThrough
  }
  return [...Array.from({ length: earlier }, () => unread), ...newestFirst.toReversed().flat()]
}

/** Reads a run from the disk and keeps its turn, unless the run can still change. */
function readTurn(engine: Folding, runs: RunStore, id: string): KnownTurn {
  const row = runs.stored(id)
  if (row === undefined) throw new Error(`the run ${id} was removed while it was read`)
  const state = stateOf(engine, row, { history: [], events: runs.settledEvents(id) })
  const turn = { messages: messagesOf(state), truncated: state.steps[0]?.truncated }
  if (state.finishedAt !== undefined) recentTurns(runs).keep(id, turn)
  return turn
}

/** Characters of JSON in one page when all events of a run are read. */
const pageSize = 256 * 1024

/** All events of a run up to this number, in order; each page is read from the disk when it is needed. */
export function* storedPages(
  runs: RunStore,
  id: string,
  last: number,
): Generator<readonly EventText[], void> {
  for (let seq = 0; seq < last; ) {
    const page = runs.eventTexts(id, seq, last - seq, pageSize)
    const end = page.at(-1)
    if (end === undefined) throw new AppError('not_found', 'The run was removed while its events were read.')
    seq = end.seq
    yield page
  }
}
