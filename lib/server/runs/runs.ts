/** All runs of this server: created, watched, cancelled, stopped with the server and resumed. */
import { setMaxListeners } from 'node:events'
import { TurnQueue } from '#lib/sandbox/turns'
import { AppError } from '#lib/spec/errors'
import type { Feedback } from '#lib/spec/feedback'
import type { HeldPlan } from '#lib/spec/plan'
import type { EventText, RunFilter, RunRow, RunSummaryRow, Stores } from '#lib/spec/store'
import type { EditPlan } from '#lib/wire/plan'
import type {
  BranchList,
  CreateRun,
  DecideCall,
  ForkRun,
  GiveReply,
  RunList,
  RunView,
  StepRequest,
} from '#lib/wire/runs'
import { createHub } from './hub'
import { createJournal } from './journal'
import { createRecentEvents } from './recent-events'
import { newestOf, storeRun, threadToSteer } from './run-create'
import { driveRun, type Live, liveOf } from './run-drive'
import { createEndings, type Endings } from './run-ending'
import { storeFork } from './run-fork'
import { createFreshRuns } from './run-fresh'
import { messagesOfRun, storedPages } from './run-history'
import { markCancelling, markDrained } from './run-marks'
import { createPeople } from './run-people'
import { editPlan } from './run-plan'
import { createQueue, type Queue } from './run-queue'
import { rateRun } from './run-rating'
import { requestOf } from './run-request'
import { createSuspects, isSuspect } from './run-suspects'
import { toBranch, toSummary, toView } from './run-view'
import { createWatches, type Watches } from './run-watch'
import type { RunsContext } from './runs-context'
import { steeredIn, steeredTypes } from './steered-words'
import { steerRun } from './steering'
import { createThreadQueue } from './thread-queue'

/** Expected failures are thrown as AppError. */
export interface Runs extends Watches {
  /** Stores the run and queues it. */
  create(request: CreateRun & { agentId: string }): RunRow
  /** Resolves when everything that was stored so far is on disk, so that a client may hear of it. */
  stored(): Promise<void>
  get(id: string): RunView
  /** The messages of the run so far: its question, its answers, its calls and their results. */
  messages(id: string): NonNullable<RunView['messages']>
  list(filter: RunFilter, more?: { hasFailures: boolean }): RunList
  /** Throws `conflict` for a run that is not finished. */
  rate(id: string, feedback: Feedback): Feedback
  unrate(id: string): void
  /** Idempotent: a finished run is returned unchanged, and a run at work ends within a second. */
  cancel(id: string): RunView
  /**
   * Gives the words of the request to the run of its thread that is under way; resolves once they are on disk.
   * Undefined when there is no such run: the request can then begin one.
   */
  steer(request: CreateRun & { agentId: string }): Promise<RunSummaryRow | undefined>
  /** Deletes a run that waits for its thread. Throws `conflict` for any other. */
  removeBehind(id: string): void
  /** A person's decision on a waiting call. Idempotent; a different decision is a `conflict`. */
  decide(id: string, callId: string, said: DecideCall): Promise<RunView>
  /** A person's reply to a question of a call. Idempotent; a different reply is a `conflict`. */
  reply(id: string, callId: string, said: GiveReply): Promise<RunView>
  /** Puts a person's plan in the place of the run's; see `run-plan.ts`. */
  editPlan(id: string, edit: EditPlan): Promise<HeldPlan>
  /** Stores a run that continues from a step of this one, and queues it. */
  fork(id: string, request: ForkRun): Promise<RunRow>
  /** The tree of runs forked from one another that contains this run. */
  branches(id: string): BranchList
  /**
   * All stored events of the run, in order and in pages; each page is read from the disk when it is needed.
   */
  events(id: string): Iterable<readonly EventText[]>
  /**
   * Encodes the model request of a step again; `exact` when it has the hash of the request that was sent.
   * @param parent for a step of a run inside a call: the ids of the calls around it, joined by `/`
   */
  request(id: string, step: number, parent?: string): Promise<StepRequest>
  /** Resumes every unfinished run; called once, at the start of the server. */
  recover(): void
  /** Accepts no more runs and stops those at work for the next start; returns within `deadlineMs`. */
  drain(deadlineMs: number): Promise<void>
}

interface House {
  readonly context: RunsContext
  readonly queue: Queue<Live>
  readonly endings: Endings
  readonly longest: number
  /** Runs that a person has cancelled while the cancellation could not be stored. */
  readonly cancelled: Set<string>
  draining: boolean
}

export function createRuns(context: RunsContext): Runs {
  const { stores, clock } = context
  const stop = new AbortController()
  // Every waiting call adds one listener and removes it when its wait ends.
  setMaxListeners(0, stop.signal)
  const hub = createHub()
  const recent = createRecentEvents(stores.runs)
  const journal = createJournal({
    runs: stores.runs,
    publish: (runId, events) => {
      // Before clients see the end, so that they then find the next run under way.
      if (events.some(({ type }) => type === 'run.finished')) threads.ended(runId)
      if (events.some(({ type }) => type === 'memory.recorded')) context.remembered?.()
      recent.add(runId, events)
      hub.publish(runId, events)
    },
    report: (error) => report(error, 'of a batch'),
    lost: (runId, reason) => {
      const live = queue.atWork(runId)
      if (live === undefined) return
      live.lost ??= reason
      live.controller.abort('drain')
    },
  })
  const endings = createEndings({
    runs: stores.runs,
    journal,
    engine: context.engine,
    clock,
    signal: stop.signal,
    health: stores.health,
    // This wakes the run's readers, whose streams end; they reconnect until the run continues.
    held: (runId) => hub.publish(runId, []),
    // This run did not crash the server, so it is resumed as after an orderly stop.
    goOn: (row) => {
      const cancelling = row.cancelling || house.cancelled.has(row.id)
      queue.add(row.id, liveOf({ ...row, cancelling, drained: true }))
    },
    recovered: () => {
      queue.pump()
      threads.pump()
    },
    report: (error, runId) => report(error, runId),
  })
  const report = context.report ?? ((error: unknown, runId: string) => console.error(`run ${runId}:`, error))
  const drive = {
    ...context,
    runs: stores.runs,
    places: new TurnQueue(context.callsAtOnce ?? 32),
    journal,
    endings,
    report,
    aside: <T>(id: string, wait: () => Promise<T>, ended: AbortSignal) => {
      // A waiting run does nothing, so the next suspect need not wait for it.
      suspects.clear(id)
      return queue.aside(id, wait, ended)
    },
    stepped: (id: string) => suspects.clear(id),
  }
  const queue: Queue<Live> = createQueue({
    concurrency: context.concurrency ?? 8,
    work: (live) => {
      suspects.began(live.row.id)
      return driveRun({ ...drive, people }, live).finally(() => suspects.clear(live.row.id))
    },
    // While the disk cannot be written, runs are safer in the queue.
    held: () => house.draining || endings.fallen.size > 0 || isHeld(stores),
  })
  const threads = createThreadQueue({
    stores,
    clock,
    held: () => house.draining || isHeld(stores),
    begin: (row, queued) => {
      hub.publish(row.id, [{ seq: queued.seq, type: queued.type, json: JSON.stringify(queued) }])
      queue.add(row.id, liveOf(row))
    },
    report,
  })
  stores.health.onChange((trouble) => {
    if (trouble !== undefined) return
    queue.pump()
    threads.pump()
  })
  const suspects = createSuspects<Live>({
    clock,
    signal: stop.signal,
    start: (id, live) => {
      if (house.draining) return
      // A person may have ended the run while it was waiting.
      if (isOpen(id)) queue.add(id, live)
      else suspects.clear(id)
    },
  })
  const people = createPeople({
    ...context,
    runs: stores.runs,
    journal,
    queue,
    signal: stop.signal,
    goOn: (row) => {
      if (!house.draining) queue.add(row.id, liveOf(row, 'decided'))
    },
    report,
  })
  const house: House = {
    context,
    queue,
    endings,
    longest: context.queue ?? 200,
    cancelled: new Set(),
    draining: false,
  }
  // For a run that is not over this reads no row; otherwise every batch of events would read one.
  const isOpen = (id: string) =>
    !endings.isHeld(id) &&
    (queue.has(id) || journal.unsyncedFrom(id) !== undefined || stores.runs.get(id)?.finishedAt === null)

  const fresh = createFreshRuns(stores.runs)

  return {
    create: (request) => {
      refuseWhenFull(house)
      const row = storeRun(context, request)
      fresh.add(row.id)
      if (!row.behind) queue.add(row.id, liveOf(row))
      return row
    },
    stored: () => stores.runs.sync(),
    steer: async (request) => {
      refuseWhenFull(house)
      const threadId = threadToSteer(stores, request)
      if (threadId === undefined) return undefined
      const newest = (id: string) => newestOf(stores, id)
      return steerRun({ ...context, journal, queue, newest }, { threadId, text: request.input })
    },
    removeBehind: (id) => threads.remove(id),
    get: (id) => viewOf(house, id),
    messages: (id) => messagesOfRun(context.engine, stores.runs, rowOf(stores, id)),
    list: (filter, { hasFailures } = { hasFailures: false }) => {
      const { items, total, ...rest } = stores.runs.listCounted(filter)
      const progress = context.indexing?.progress()
      const shown = items.map((row) => ({
        ...toSummary(row, endings.fallen.get(row.id)),
        ...(hasFailures && row.failedCalls !== undefined && { failedCalls: row.failedCalls }),
      }))
      return { items: shown, total, ...rest, ...(progress && { indexing: progress }) }
    },
    rate: (id, feedback) => rateRun(stores.runs, rowOf(stores, id), feedback),
    unrate: (id) => {
      if (!stores.runs.setFeedback(id, null)) throw missing()
    },
    cancel: (id) => {
      const row = rowOf(stores, id)
      if (row.behind) journal.append(id, threads.firstEvent(row))
      cancelRun(house, id)
      journal.flush()
      return viewOf(house, id)
    },
    decide: async (id, callId, said) => {
      await people.decide(id, callId, said)
      return viewOf(house, id)
    },
    reply: async (id, callId, said) => {
      await people.reply(id, callId, said)
      return viewOf(house, id)
    },
    editPlan: (id, edit) => editPlan({ ...context, journal, queue }, id, edit),
    ...createWatches({ recent, hub, isOpen, unsyncedFrom: journal.unsyncedFrom }, (id) => {
      const onDisk = fresh.onDisk(id)
      if (onDisk === undefined) rowOf(stores, id)
      return onDisk
    }),
    events: (id) => {
      const { seq } = rowOf(stores, id)
      return storedPages(stores.runs, id, seq)
    },
    fork: async (id, request) => {
      refuseWhenFull(house)
      journal.flush()
      const row = await storeFork(
        { ...context, refuseWhenFull: () => refuseWhenFull(house) },
        rowOf(stores, id),
        request,
      )
      queue.add(row.id, liveOf(row))
      return row
    },
    branches: (id) => {
      const root = rowOf(stores, id).forkRoot ?? id
      const rows = stores.runs.tree(root, mostBranches + 1)
      const items = rows.slice(0, mostBranches).map((row) => toBranch(row, endings.fallen.get(row.id)))
      return { items, truncated: rows.length > mostBranches }
    },
    request: (id, step, parent) => requestOf(context, rowOf(stores, id), { step, parent }),
    recover: () => {
      const rows = stores.runs.unfinished()
      const suspected = new Set(rows.filter((row) => isSuspect(stores.runs.settledEvents(row.id))))
      for (const row of rows) {
        if (!suspected.has(row)) queue.add(row.id, liveOf(row))
        people.watch(row.id, row.pending)
      }
      suspects.add([...suspected].map((row) => ({ id: row.id, job: liveOf(row) })))
      threads.pump()
    },
    drain: async (deadlineMs) => {
      house.draining = true
      markDrained(stores, queue.working)
      queue.clear()
      for (const id of queue.working) queue.atWork(id)?.controller.abort('drain')
      await Promise.race([queue.idle(), clock.sleep(deadlineMs, stop.signal)])
      // A run that is late must not write into a store that is about to close.
      for (const id of queue.working) {
        const live = queue.atWork(id)
        if (live !== undefined) live.lost ??= 'refused'
      }
      journal.close()
      stop.abort()
      hub.close()
    },
  }
}

/**
 * Whether the database is in a state in which no run can continue. A full disk may have room for a small run.
 */
function isHeld({ health }: Stores): boolean {
  return health.trouble !== undefined && health.trouble.fault !== 'full'
}

/** The most runs of a tree in one response. */
const mostBranches = 500

function refuseWhenFull({ context, draining, endings, queue, longest }: House): void {
  if (draining) throw new AppError('unavailable', 'The server is stopping. Try again after it has restarted.')
  const { trouble } = context.stores.health
  if (trouble !== undefined && isHeld(context.stores)) throw new AppError('unavailable', trouble.message)
  const [stuck] = endings.fallen.values()
  if (stuck !== undefined) throw new AppError('unavailable', stuck.message)
  if (queue.waiting >= longest)
    throw new AppError('too_many', `${longest} runs are already queued. Try again later.`)
}

function cancelRun(house: House, id: string): void {
  const { context, queue, endings } = house
  const row = rowOf(context.stores, id)
  if (!markCancelling(context.stores, id, house.cancelled)) return
  const atWork = queue.atWork(id)
  if (atWork !== undefined) {
    atWork.controller.abort('cancel')
    // Its loop may have ended just before, to wait for a person, while its last events go to the disk.
    void queue.done(id)?.then(() => {
      if (!house.draining && context.stores.runs.get(id)?.status === 'waiting') cancelRun(house, id)
    })
    return
  }
  const inLine = queue.take(id)
  if (row.startedAt === null) {
    void endings.end(id, 'cancelled', null)
    return
  }
  // It was at work before a restart, or waits for a person: its loop gives every open call a result and ends.
  const reason = inLine === undefined || inLine.reason === 'decided' ? 'decided' : undefined
  queue.start(id, liveOf({ ...row, cancelling: true }, reason))
}

function viewOf({ context, endings, queue }: House, id: string): RunView {
  const row = rowOf(context.stores, id)
  return toView(row, {
    artifacts: context.artifacts.ofRun(id),
    steered: steeredIn(context.stores.runs.eventsOfTypes(id, steeredTypes)),
    fallen: endings.fallen.get(id),
    ahead: queue.ahead(id),
  })
}

function rowOf(stores: Stores, id: string): RunRow {
  const row = stores.runs.get(id)
  if (row === undefined) throw missing()
  return row
}

function missing(): AppError {
  return new AppError('not_found', 'There is no such run.')
}
