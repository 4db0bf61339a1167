/**
 * Group commit: one transaction stores the events that all runs yield within a few milliseconds, and clients see
 * them once it is on disk. The event loop does not wait for the disk; events that come meanwhile share the next
 * transaction.
 */
import { type StoreFault, storeFault } from '#db/fault'
import type { RunEvent } from '#lib/spec/event'
import type { Appended, EventText, RunStore } from '#lib/spec/store'

/**
 * Why events did not reach the disk: a fault of the store, or `refused`: the run ended or continued
 * elsewhere, the journal is closed, or the server has a bug.
 */
export type LossReason = StoreFault | 'refused'

/** The accepted events will never be stored. */
export class JournalLoss extends Error {
  constructor(readonly reason: LossReason) {
    super(`the events could not be stored (${reason})`)
    this.name = 'JournalLoss'
  }
}

export interface Journal {
  /**
   * Encodes the event once and accepts it. It is stored a few milliseconds later, together with what all runs
   * yield until then, or at the end of this turn if somebody waits for it.
   */
  append(runId: string, event: RunEvent): void
  /** Resolves when all accepted events are on disk; rejects with `JournalLoss` when some will never be. */
  committed(): Promise<void>
  /** Stores and publishes the pending events now, if the file is not locked. Blocks until they are on disk. */
  flush(): void
  /** The first event of the run that is written but not yet on disk, so that no client may see it. */
  unsyncedFrom(runId: string): number | undefined
  /** Flushes, then accepts no more events: the store closes next. Unstored events are lost as `busy`. */
  close(): void
}

interface JournalContext {
  readonly runs: Pick<RunStore, 'append' | 'sync' | 'syncNow'>
  publish(runId: string, frames: readonly EventText[]): void
  /** Called once for each run whose events were lost; no event of the batch was stored for that run. */
  lost(runId: string, reason: LossReason): void
  /** Called with an error that is not a fault of the disk. */
  report(error: unknown): void
  /** For tests: how to wait before the next attempt on a locked file. */
  readonly later?: (work: () => void, ms: number) => void
}

/** Characters of pending JSON at which a batch is stored at once instead of at the end of the turn. */
const largestBatch = 4 * 1024 * 1024
const largestCount = 2_000
/**
 * How long events wait for others when nobody waits for them, in milliseconds: too short to be noticed, and long
 * enough for most events of a step to share one transaction.
 */
const gatherMs = 10
/** The least and the most time between two transactions that several runs share, in milliseconds. */
const pauseMs = { least: 6, most: 40 }
/**
 * How many times as long as a transaction the pause after it is. Many runs at once make long transactions; the
 * fewer of them there are, the less work each event is.
 */
const pauseFactor = 6
/** Attempts on a file that another process holds locked, about 50 ms apart. */
const patience = 20

interface Waiter {
  resolve(): void
  reject(loss: JournalLoss): void
}

/** A batch that is written and not yet known to be on disk. */
interface Written {
  readonly runs: ReadonlyMap<string, EventText[]>
  readonly waiters: Waiter[]
}

export function createJournal(context: JournalContext): Journal {
  const later = context.later ?? ((work, ms) => void setTimeout(work, ms))
  let pending: Appended[] = []
  let bytes = 0
  let waiters: Waiter[] = []
  let scheduled: { cancel(): void } | undefined
  let tries = 0
  /** Other work gets its turn before the next transaction, and more events share it. */
  let pausedUntil = 0
  let isShared = false
  /** Oldest first. */
  const written: Written[] = []
  let syncing = false
  /** Somebody waits for the pending events: the loop, or the watchers of a run that has ended. */
  let isAwaited = false
  let waiting = false
  let closed = false

  function append(runId: string, event: RunEvent): void {
    if (closed) {
      context.lost(runId, 'refused')
      return
    }
    const json = JSON.stringify(event)
    pending.push({ runId, event, json })
    bytes += json.length
    // A run that never waits would otherwise keep the turn to itself, and all its events would stay pending.
    if (tries === 0 && (bytes >= largestBatch || pending.length >= largestCount)) flush()
    else if (event.type === 'run.finished') hasten()
    else schedule()
  }

  function schedule(): void {
    // What comes while the disk is busy is written as soon as it is ready, in one transaction.
    if (scheduled !== undefined || syncing) return
    const due = () => {
      scheduled = undefined
      if (tries === 0) commit()
    }
    const wait = waitMs()
    if (wait < 1) {
      const turn = setImmediate(due)
      scheduled = { cancel: () => clearImmediate(turn) }
    } else {
      const timer = setTimeout(due, wait)
      scheduled = { cancel: () => clearTimeout(timer) }
    }
  }

  function waitMs(): number {
    const pause = pausedUntil - performance.now()
    if (!isAwaited) return Math.max(pause, gatherMs)
    // A single run does not wait for the pause: no other run would share the transaction.
    return isShared ? pause : 0
  }

  function committed(): Promise<void> {
    const newest = written.at(-1)
    if (pending.length === 0 && newest === undefined) return Promise.resolve()
    return new Promise((resolve, reject) => {
      const waiter = { resolve, reject }
      if (pending.length > 0) {
        waiters.push(waiter)
        hasten()
      } else newest?.waiters.push(waiter)
    })
  }

  /** From now on somebody waits for the pending events. */
  function hasten(): void {
    if (!isAwaited) {
      isAwaited = true
      scheduled?.cancel()
      scheduled = undefined
    }
    schedule()
  }

  function commit(): void {
    write()
    void syncAll()
  }

  function flush(): void {
    write()
    try {
      context.runs.syncNow()
    } catch (error) {
      loseWritten(error)
    }
    publish(written.splice(0))
  }

  /** Writes the pending events; they are not on disk yet. */
  function write(): void {
    if (pending.length === 0) return
    let refused: ReadonlySet<string>
    const begun = performance.now()
    try {
      refused = context.runs.append(pending)
    } catch (error) {
      if (storeFault(error) === 'busy' && !closed && ++tries <= patience) tryLater()
      else giveUp(take(), reasonOf(error))
      return
    }
    const { runs, waiters } = take()
    const now = performance.now()
    pausedUntil = now + Math.min(Math.max(pauseFactor * (now - begun), pauseMs.least), pauseMs.most)
    isShared = runs.size > 1
    for (const runId of refused) {
      runs.delete(runId)
      context.lost(runId, 'refused')
    }
    written.push({ runs, waiters })
  }

  async function syncAll(): Promise<void> {
    if (syncing) return
    syncing = true
    for (let newest = written.at(-1); newest !== undefined; newest = written.at(-1)) {
      try {
        await context.runs.sync()
      } catch (error) {
        loseWritten(error)
        break
      }
      // A flush may have published them meanwhile, and others may have been written since.
      publish(written.splice(0, written.indexOf(newest) + 1))
    }
    syncing = false
    if (pending.length > 0) schedule()
  }

  function publish(batches: readonly Written[]): void {
    for (const { runs, waiters } of batches) {
      for (const [runId, frames] of runs) context.publish(runId, frames)
      for (const waiter of waiters) waiter.resolve()
    }
  }

  /** What was written may or may not be on disk, so the runs begin again from what the database holds. */
  function loseWritten(error: unknown): void {
    for (const batch of written.splice(0)) giveUp(batch, reasonOf(error))
  }

  function reasonOf(error: unknown): LossReason {
    const fault = storeFault(error)
    // This is a bug of the server: the runs stop where they are, and the next start resumes them.
    if (fault === undefined) context.report(error)
    return fault ?? 'refused'
  }

  /**
   * The file is locked for a moment. The jitter keeps two waiting processes from colliding again and again.
   */
  function tryLater(): void {
    if (waiting) return
    waiting = true
    later(
      () => {
        waiting = false
        commit()
      },
      25 + Math.random() * 50,
    )
  }

  function close(): void {
    closed = true
    flush()
  }

  function giveUp({ runs, waiters }: Written, reason: LossReason): void {
    for (const runId of runs.keys()) context.lost(runId, reason)
    for (const waiter of waiters) waiter.reject(new JournalLoss(reason))
  }

  function take(): { runs: Map<string, EventText[]>; waiters: Waiter[] } {
    const taken = { runs: byRun(pending), waiters }
    pending = []
    waiters = []
    isAwaited = false
    bytes = 0
    tries = 0
    return taken
  }

  function unsyncedFrom(runId: string): number | undefined {
    for (const { runs } of written) {
      const first = runs.get(runId)?.[0]
      if (first !== undefined) return first.seq
    }
    return undefined
  }

  return { append, committed, flush, unsyncedFrom, close }
}

function byRun(batch: readonly Appended[]): Map<string, EventText[]> {
  const frames = new Map<string, EventText[]>()
  for (const { runId, event, json } of batch) {
    const frame = { seq: event.seq, type: event.type, json }
    const before = frames.get(runId)
    if (before === undefined) frames.set(runId, [frame])
    else before.push(frame)
  }
  return frames
}
