/** The plan of a run: what a new run of the thread takes over, and changes that a person makes. */
import { emitter } from '#lib/agent/engine'
import { AppError } from '#lib/spec/errors'
import type { EventBody, EventOf, RunEvent } from '#lib/spec/event'
import { isObject, tryParseJson } from '#lib/spec/json'
import { type HeldPlan, isOpenPlan, type Plan, readPlan } from '#lib/spec/plan'
import type { RunState } from '#lib/spec/state'
import type { RunRow, RunStore, Stores } from '#lib/spec/store'
import type { EditPlan } from '#lib/wire/plan'
import type { Journal } from './journal'
import type { Live } from './run-drive'
import { stateOf } from './run-history'
import type { Queue } from './run-queue'
import type { RunsContext } from './runs-context'
import { onDisk } from './steering'

type StoredPlan = EventOf<'plan.updated'>['plan']

/** The plan that the run before left unfinished; undefined when there is none, or when the agent keeps no plan. */
export function planBefore(
  runs: Pick<RunStore, 'settledEvents'>,
  { historyThrough, config }: Pick<RunRow, 'historyThrough' | 'config'>,
): StoredPlan | undefined {
  if (historyThrough === null || !keepsPlan(config)) return undefined
  const events = runs.settledEvents(historyThrough)
  const last = events.findLast((each) => each.type === 'plan.updated' && each.parent === undefined)
  const plan = last?.type === 'plan.updated' ? last.plan : planIn(events[0])
  return plan !== undefined && isOpenPlan(readPlan(plan)) ? plan : undefined
}

/** The plan with which a run began. */
export function planIn(first: RunEvent | undefined): StoredPlan | undefined {
  return first?.type === 'run.queued' ? first.plan : undefined
}

/** Most configs keep none, and parsing a long one is slow. */
function keepsPlan(config: string): boolean {
  if (!config.includes('"plan"')) return false
  const parsed = tryParseJson(config)
  const tools = isObject(parsed) && Array.isArray(parsed.tools) ? parsed.tools : []
  return tools.some((entry) => isObject(entry) && entry.use === 'plan')
}

interface EditContext extends Pick<RunsContext, 'engine' | 'clock'> {
  readonly stores: Pick<Stores, 'runs'>
  readonly journal: Journal
  readonly queue: Pick<Queue<Live>, 'atWork' | 'done'>
}

/**
 * Puts a person's plan in the place of the present one. Resolves once that is on disk. Throws `stale_revision` when
 * the plan has changed since the person read it, and `conflict` when the run has no plan or is over.
 */
export async function editPlan(
  context: EditContext,
  runId: string,
  { revision, plan }: EditPlan,
): Promise<HeldPlan> {
  const { journal, queue, stores } = context
  let made: Plan = plan
  const write = (state: RunState): EventBody | undefined => {
    if (state.plan?.revision !== revision) return undefined
    made = keepingId(plan, state.plan)
    return { type: 'plan.updated', plan: made, by: 'person' }
  }
  for (;;) {
    journal.flush()
    const row = stores.runs.get(runId)
    if (row === undefined) throw new AppError('not_found', 'There is no such run.')
    if (row.finishedAt !== null)
      throw new AppError('conflict', 'The run is over, so its plan stays as it is.')
    const live = queue.atWork(runId)
    const outcome = live === undefined ? record(context, row, write) : await live.steering.put(write)
    if (outcome === 'ended') {
      await queue.done(runId)
      continue
    }
    if (outcome === 'refused') throw stale(planNow(context, row))
    await onDisk(journal, live, 'The plan')
    return { ...made, revision: revision + 1, by: 'person' }
  }
}

/** A person changes a plan and does not make another one. */
function keepingId(plan: Plan, { id }: Pick<Plan, 'id'>): Plan {
  const { id: _given, ...rest } = plan
  return id === undefined ? rest : { id, ...rest }
}

function stale(plan: HeldPlan | undefined): AppError {
  if (plan === undefined) return new AppError('conflict', 'This run has no plan to change.')
  return new AppError('stale_revision', 'The plan has changed since it was read.', { current: plan })
}

/** For a run that is not at work: it waits for a person or for its turn. */
function record(
  context: EditContext,
  row: RunRow,
  write: (state: RunState) => EventBody | undefined,
): 'written' | 'refused' {
  const state = stateNow(context, row)
  const body = write(state)
  if (body === undefined) return 'refused'
  // The events were read without deltas, so the last number comes from the row.
  state.seq = row.seq
  context.journal.append(row.id, emitter(state, context)(body))
  return 'written'
}

function planNow(context: EditContext, row: RunRow): HeldPlan | undefined {
  context.journal.flush()
  return stateNow(context, row).plan
}

function stateNow({ engine, stores }: EditContext, row: RunRow): RunState {
  return stateOf(engine, row, { history: [], events: stores.runs.settledEvents(row.id) })
}
