/** Group commit: what all runs yield in one turn of the event loop is one transaction; only then does anybody see it. */
import { type StoreFault, storeFault } from '#db/fault'
import type { RunEvent } from '#lib/spec/event'
import type { Appended, EventText, RunStore } from '#lib/spec/store'

/** Why events did not reach the disk: the store's fault, or that the run had ended or gone on elsewhere. */
export type LossReason = StoreFault | 'refused'

/** The events taken will never be stored. */
export class JournalLoss extends Error {
  constructor(readonly reason: LossReason) {
    super(`the events could not be stored (${reason})`)
    this.name = 'JournalLoss'
  }
}

export interface Journal {
  /** Takes an event, encoding it once; it is stored at the end of this turn of the event loop, or of the pause after the last transaction. */
  append(runId: string, event: RunEvent): void
  /** Resolves when all taken so far is on disk; rejects with `JournalLoss` when some of it never will be. */
  committed(): Promise<void>
  /** Stores now what is pending, if the file is free. */
  flush(): void
  /** Flushes, then takes nothing more: the store is about to close. What could not be stored is lost as `busy`. */
  close(): void
}

interface JournalContext {
  readonly runs: Pick<RunStore, 'append'>
  publish(runId: string, frames: readonly EventText[]): void
  /** Told once for each run whose events were lost; nothing of the batch was stored for it. */
  lost(runId: string, reason: LossReason): void
  /** Told of an error that is no fault of the disk. */
  report(error: unknown): void
  /** For tests: how to wait before another try at a locked file. */
  readonly later?: (work: () => void, ms: number) => void
}

/** Bytes of JSON pending after which a batch is stored without waiting for the turn's end. */
const largestBatch = 4 * 1024 * 1024
const largestCount = 2_000
/** Milliseconds that a pause lasts at most, however slow the disk is. */
const longestPause = 10
/** Tries at a file that another process holds locked, some 50 ms apart. */
const patience = 20

interface Waiter {
  resolve(): void
  reject(loss: JournalLoss): void
}

export function createJournal(context: JournalContext): Journal {
  const later = context.later ?? ((work, ms) => void setTimeout(work, ms))
  let pending: Appended[] = []
  let bytes = 0
  let waiters: Waiter[] = []
  let scheduled: { cancel(): void } | undefined
  let tries = 0
  /** A pause as long as a transaction took follows it: what comes meanwhile goes along with the next, and half the time is left for all else. */
  let pausedUntil = 0
  let isShared = false
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
    // A run that never waits for anything would otherwise keep the turn, and all it yields, to itself.
    if (tries === 0 && (bytes >= largestBatch || pending.length >= largestCount)) commit()
    else schedule()
  }

  function schedule(): void {
    if (scheduled !== undefined) return
    const due = () => {
      scheduled = undefined
      if (tries === 0) commit()
    }
    const pause = pausedUntil - performance.now()
    if (pause < 1 || (waiters.length > 0 && !isShared)) {
      const turn = setImmediate(due)
      scheduled = { cancel: () => clearImmediate(turn) }
    } else {
      const timer = setTimeout(due, pause)
      scheduled = { cancel: () => clearTimeout(timer) }
    }
  }

  function committed(): Promise<void> {
    if (pending.length === 0) return Promise.resolve()
    return new Promise((resolve, reject) => {
      waiters.push({ resolve, reject })
      // One run alone is not to wait: nobody else would go along.
      if (isShared || waiters.length > 1) return
      scheduled?.cancel()
      scheduled = undefined
      schedule()
    })
  }

  function commit(): void {
    if (pending.length === 0) return
    let refused: ReadonlySet<string>
    const begun = performance.now()
    try {
      refused = context.runs.append(pending)
    } catch (error) {
      const fault = storeFault(error)
      if (fault === undefined) {
        // A bug of ours: the runs stop where they are, and the next start takes them up.
        context.report(error)
        giveUp('refused')
      } else if (fault === 'busy' && !closed && ++tries <= patience) tryLater()
      else giveUp(fault)
      return
    }
    const stored = performance.now()
    pausedUntil = stored + Math.min(stored - begun, longestPause)
    const { batch, waiters } = take()
    const runs = byRun(batch)
    isShared = runs.size > 1
    for (const [runId, frames] of runs) if (!refused.has(runId)) context.publish(runId, frames)
    for (const runId of refused) context.lost(runId, 'refused')
    for (const waiter of waiters) waiter.resolve()
  }

  /** The file is locked for a moment: jitter, so that two who wait do not meet again and again. */
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
    commit()
  }

  function giveUp(reason: LossReason): void {
    const { batch, waiters } = take()
    for (const runId of byRun(batch).keys()) context.lost(runId, reason)
    for (const waiter of waiters) waiter.reject(new JournalLoss(reason))
  }

  function take(): { batch: Appended[]; waiters: Waiter[] } {
    const taken = { batch: pending, waiters }
    pending = []
    waiters = []
    bytes = 0
    tries = 0
    return taken
  }

  return { append, committed, flush: commit, close }
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
