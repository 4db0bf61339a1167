/** Folds events of a run inside a call into the state of that run, and what it uses into the outer one. */
import type { EventOf, RunEvent } from '#lib/spec/event'
import type { CallState, RunState } from '#lib/spec/state'
import { spendInRun } from './spend'
import { start } from './start'

/** Separates the ids of calls in `parent`. */
const separator = '/'

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
  const [callId = '', ...deeper] = parent.split(separator)
  const call = state.calls.get(callId)
  if (call === undefined) return state
  const inside = deeper.length === 0 ? own : { ...own, parent: deeper.join(separator) }
  call.inner = fold(innerOf(call, inside), inside)
  if (spends.has(event.type)) spendInRun(state, event as Spending) // cast: events of these types have usage
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

/** The first call in `parent`, which is the one in the outer run. */
export function outermost(parent: string): string {
  return parent.split(separator, 1)[0] ?? parent
}

/** The `parent` of an event of a run inside this call; `inner` is the event's own, when it has one. */
export function parentOf(callId: string, inner?: string): string {
  return inner === undefined ? callId : `${callId}${separator}${inner}`
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
