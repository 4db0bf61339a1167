/**
 * Group commit: one transaction stores the events that all runs yield within a few milliseconds;
 * only then do clients see them.
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
  /** Stores the pending events now, if the file is not locked. */
  flush(): void
  /** Flushes, then accepts no more events: the store closes next. Unstored events are lost as `busy`. */
  close(): void
}

interface JournalContext {
  readonly runs: Pick<RunStore, 'append'>
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
/** The pause between two transactions, in milliseconds, is as long as the first took, within these limits. */
const pauseMs = { least: 6, most: 10 }
/** Attempts on a file that another process holds locked, about 50 ms apart. */
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
  /**
   * A pause follows each transaction. Events that arrive meanwhile share the next transaction, and half of the
   * time is left for other work.
   */
  let pausedUntil = 0
  let isShared = false
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
    if (tries === 0 && (bytes >= largestBatch || pending.length >= largestCount)) commit()
    else if (event.type === 'run.finished') hasten()
    else schedule()
  }

  function schedule(): void {
    if (scheduled !== undefined) return
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
    if (pending.length === 0) return Promise.resolve()
    return new Promise((resolve, reject) => {
      waiters.push({ resolve, reject })
      hasten()
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
    if (pending.length === 0) return
    let refused: ReadonlySet<string>
    const begun = performance.now()
    try {
      refused = context.runs.append(pending)
    } catch (error) {
      const fault = storeFault(error)
      if (fault === undefined) {
        // This is a bug of the server: the runs stop where they are, and the next start resumes them.
        context.report(error)
        giveUp('refused')
      } else if (fault === 'busy' && !closed && ++tries <= patience) tryLater()
      else giveUp(fault)
      return
    }
    const stored = performance.now()
    pausedUntil = stored + Math.min(Math.max(stored - begun, pauseMs.least), pauseMs.most)
    const { batch, waiters } = take()
    const runs = byRun(batch)
    isShared = runs.size > 1
    for (const [runId, frames] of runs) if (!refused.has(runId)) context.publish(runId, frames)
    for (const runId of refused) context.lost(runId, 'refused')
    for (const waiter of waiters) waiter.resolve()
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
    isAwaited = false
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
