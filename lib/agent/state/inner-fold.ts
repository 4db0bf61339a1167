/** Folds events of a run inside a call into the state of that run, and what it uses into the outer one. */
import type { EventOf, RunEvent } from '#lib/spec/event'
import type { CallState, RunState } from '#lib/spec/state'
import { runningInBackground } from './background'
import { splitPath } from './inner-path'
import { spendInRun } from './spend'
import { start } from './start'
import { isWaiting, whileWaiting } from './waiting'

/**
 * Gives the event to the run inside the call that its `parent` names first. An event of a call that the
 * state does not have changes nothing.
 * @param fold the fold itself, for the run inside
 */
export function foldInner(
  state: RunState,
  event: RunEvent,
  fold: (state: RunState, event: RunEvent) => RunState,
): RunState {
  const { parent = '', ...own } = event
  const [callId, deeper] = splitPath(parent)
  const call = state.calls.get(callId)
  if (call === undefined) return state
  const inside = deeper === undefined ? own : { ...own, parent: deeper }
  whileWaiting(state, call, event.at, () => {
    call.inner = fold(innerOf(call, inside), inside)
    // The body goes on once a person has answered, whatever else the run inside still waits for.
    if (call.status === 'waiting' && call.startedAt !== undefined && answers.has(event.type))
      call.status = 'running'
  })
  if (spends.has(event.type)) spendInRun(state, event as Spending) // cast: events of these types have usage
  if (event.type === 'call.started') noteBegun(state, event)
  // A run inside that gets on is no run that is stuck; a call in the background may be what brings the server down.
  if (event.type === 'step.finished' && runningInBackground(state).length === 0) state.crashes = 0
  return state
}

type Spending = EventOf<
  'model.answered' | 'model.retried' | 'context.compacted' | 'completion.finished' | 'personas.assigned'
>
const spends: ReadonlySet<RunEvent['type']> = new Set<Spending['type']>([
  'model.answered',
  'model.retried',
  'context.compacted',
  'completion.finished',
  'personas.assigned',
])

const answers: ReadonlySet<RunEvent['type']> = new Set(['approval.decided', 'input.given'])

function noteBegun(state: RunState, { name, scopeName = name, source }: EventOf<'call.started'>): void {
  const key = `${source}\n${scopeName}`
  state.begunInside ??= new Map()
  if (!state.begunInside.has(key)) state.begunInside.set(key, { scopeName, source })
}

/** The run inside the call only waits for people: its body has ended, and begins again once one of them answers. */
export function callRested(state: RunState, { callId, at }: EventOf<'call.rested'>): RunState {
  const call = state.calls.get(callId)
  if (call === undefined || call.status !== 'running' || call.result !== undefined) return state
  // Somebody may have answered meanwhile.
  if (call.inner === undefined || call.inner.waiting === 0) return state
  return whileWaiting(state, call, at, () => {
    call.status = 'waiting'
  })
}

/** The call has ended, so the run inside it has ended as well, even where it had no time to say so. */
export function endInside({ inner }: CallState, at: number): void {
  if (inner === undefined || inner.finishedAt !== undefined) return
  inner.status = 'interrupted'
  inner.finishedAt = at
  inner.waiting = 0
  inner.waitingSince = null
  for (const call of inner.calls.values()) {
    if (call.result !== undefined) continue
    if (isWaiting(call) || call.status === 'due') call.status = 'skipped'
    if (call.status === 'running') call.status = 'interrupted'
    endInside(call, at)
  }
}

/** The state of the run inside. A run that begins once more, in a later attempt of the call, has a new one. */
function innerOf({ inner }: CallState, event: RunEvent): RunState {
  const begins = event.parent === undefined && event.type === 'run.started'
  if (inner !== undefined && !(begins && inner.startedAt !== undefined)) return inner
  return start(begins ? startIn(event) : unknownStart)
}

const unknownStart: RunState['start'] = {
  agent: { id: null, name: '', version: 'draft', configHash: '' },
  input: '',
  threadId: null,
  historyThrough: null,
  history: [],
}

function startIn({
  agent,
  input,
  threadId,
  historyThrough,
  files,
}: EventOf<'run.started'>): RunState['start'] {
  return { agent, input, threadId, historyThrough, history: [], ...(files && { files }) }
}
