/** Lets runs that wait for their thread begin, one after the other, as soon as the thread is free. */
import { storeFault } from '#db/fault'
import { AppError } from '#lib/spec/errors'
import type { RunEvent } from '#lib/spec/event'
import type { RunRow, Stores } from '#lib/spec/store'
import { newestOf, queuedEvent } from './run-create'
import { earlierIn } from './run-earlier'

export interface ThreadQueue {
  /** A run has ended: the next one of its thread begins. */
  ended(runId: string): void
  /** Lets the next run begin in every thread that is free, after a start or a fault of the disk. */
  pump(): void
  /** Deletes a run that waits, as if it had not been sent. Throws `conflict` when it does not wait. */
  remove(runId: string): void
  /** The first event of a run that ends before its turn has come. */
  firstEvent(row: RunRow): RunEvent
}

interface ThreadQueueContext {
  readonly stores: Stores
  readonly clock: { now(): number }
  /** Nothing begins while this is true. */
  held(): boolean
  /** Starts the run, whose first event is stored. */
  begin(row: RunRow, queued: RunEvent): void
  report(error: unknown, runId: string): void
}

export function createThreadQueue({ stores, clock, held, begin, report }: ThreadQueueContext): ThreadQueue {
  const { runs } = stores

  function advance(threadId: string): void {
    if (held()) return
    const id = runs.nextBehind(threadId)
    if (id === undefined) return
    try {
      letBegin(threadId, id)
    } catch (error) {
      // With a fault of the disk, the run begins when the disk works again, or at the next start.
      if (storeFault(error) === undefined) report(error, id)
    }
  }

  function letBegin(threadId: string, id: string): void {
    const row = runs.get(id)
    if (row === undefined) return
    // What came before is read now: the runs before it may have changed the thread since it was sent.
    const historyThrough = newestOf(stores, threadId)?.id ?? null
    const next: RunRow = { ...row, historyThrough }
    const queued = queuedEvent(stores, next, { at: clock.now(), earlier: earlierIn(stores, threadId) })
    if (!runs.beginTurn(id, queued, historyThrough)) return
    const { behind: _, ...begun } = next
    begin({ ...begun, seq: queued.seq }, queued)
  }

  return {
    ended: (runId) => {
      const threadId = runs.threadOf(runId)
      if (threadId !== undefined) advance(threadId)
    },
    pump: () => {
      if (held()) return
      for (const threadId of runs.freeThreads()) advance(threadId)
    },
    remove: (runId) => {
      if (runs.get(runId) === undefined) throw new AppError('not_found', 'There is no such run.')
      if (runs.removeBehind(runId)) return
      throw new AppError(
        'conflict',
        'Only a run that waits for its thread can be deleted this way, and this run has begun.',
      )
    },
    firstEvent: (row) => queuedEvent(stores, row, { at: clock.now(), earlier: undefined }),
  }
}
