/** Ends runs that their loop cannot end: never started, impossible to assemble, or cut off from the disk. */
import { storeFault } from '#db/fault'
import type { RunDeps } from '#lib/agent/deps'
import { endNow } from '#lib/agent/run'
import type { RunEnding, RunError } from '#lib/spec/event'
import type { RunState } from '#lib/spec/state'
import type { RunRow, RunStore } from '#lib/spec/store'
import type { StoreHealth } from '#lib/spec/store-health'
import { type Journal, JournalLoss, type LossReason } from './journal'
import { type Folding, stateOf } from './run-history'

export interface Endings {
  /**
   * Gives every open call a result and ends the run as stored; does nothing when the run is already finished.
   */
  end(runId: string, status: RunEnding, error: RunError | null): Promise<void>
  /**
   * The run's events did not reach the disk, so the run is shown as interrupted. On a full or locked disk
   * this end is stored as soon as possible. While the disk fails or the database is broken, the run is held,
   * and it resumes when the fault is over.
   */
  fall(runId: string, reason: LossReason): void
  /** Runs that are held or whose end could not be stored yet, each with the reason. */
  readonly fallen: ReadonlyMap<string, RunError>
  /** Whether the run is held: it is not at work and resumes later. */
  isHeld(runId: string): boolean
}

interface EndingContext {
  readonly runs: RunStore
  readonly health: StoreHealth
  readonly journal: Journal
  readonly engine: Folding
  readonly clock: RunDeps['clock']
  /** Stops the attempts to store the end of fallen runs. */
  readonly signal: AbortSignal
  /** Called with a run that is held from now on. */
  held(runId: string): void
  /** Resumes a run that was held. */
  goOn(row: RunRow): void
  /** Called when no run is fallen any more. */
  recovered(): void
  /** Called with a fault of the server. */
  report(error: unknown, runId: string): void
}

/** How a run ends, as it will be stored. */
interface Ending {
  readonly status: RunEnding
  readonly error: RunError | null
}

/** Between two attempts to store the end of a fallen run, ms. */
const retryMs = 2_000

export function createEndings(context: EndingContext): Endings {
  const fallen = new Map<string, RunError>()
  const held = new Set<string>()

  async function write(runId: string, status: RunEnding, error: RunError | null): Promise<void> {
    context.journal.flush()
    const row = context.runs.get(runId)
    if (row === undefined || row.finishedAt !== null) return
    for (const event of endNow(stateOnDisk(context, row), context, { status, answer: null, error }))
      context.journal.append(runId, event)
    await context.journal.committed()
  }

  async function end(runId: string, status: RunEnding, error: RunError | null): Promise<void> {
    try {
      await write(runId, status, error)
    } catch (cause) {
      const reason = lossOf(cause)
      if (reason === undefined) context.report(cause, runId)
      else if (reason !== 'refused' && !fallen.has(runId)) {
        fallen.set(runId, errorOf(reason))
        // Unless a full or locked disk interrupts the run (it can be asked again), the intended end is kept.
        const ending = isHolding(reason) ? { status, error } : interruptedEnding(reason)
        void keepTrying(runId, () => write(runId, ending.status, ending.error))
      }
    }
  }

  function fall(runId: string, reason: LossReason): void {
    if (reason === 'refused' || fallen.has(runId)) return
    fallen.set(runId, errorOf(reason))
    const { status, error } = interruptedEnding(reason)
    if (isHolding(reason)) {
      held.add(runId)
      context.held(runId)
    }
    void keepTrying(runId, () => (isHolding(reason) ? goOn(runId) : write(runId, status, error)))
  }

  async function goOn(runId: string): Promise<void> {
    const row = context.health.check() === undefined ? context.runs.get(runId) : undefined
    if (context.health.trouble !== undefined) throw new JournalLoss(context.health.trouble.fault)
    fallen.delete(runId)
    held.delete(runId)
    if (row !== undefined && row.finishedAt === null) context.goOn(row)
  }

  async function keepTrying(runId: string, work: () => Promise<void>): Promise<void> {
    while (!context.signal.aborted) {
      await context.clock.sleep(retryMs, context.signal)
      if (context.signal.aborted) return
      try {
        await work()
        fallen.delete(runId)
        if (fallen.size === 0) context.recovered()
        return
      } catch (cause) {
        if (lossOf(cause) !== undefined) continue
        context.report(cause, runId)
        return
      }
    }
  }

  /** The error that a person sees while the run is fallen. */
  function errorOf(reason: Exclude<LossReason, 'refused'>): RunError {
    const message = isHolding(reason) ? context.health.trouble?.message : undefined
    return message === undefined ? lossErrors[reason] : { ...lossErrors[reason], message }
  }

  return { end, fall, fallen, isHeld: (runId) => held.has(runId) }
}

/** Whether the run waits until the fault is over instead of being interrupted by it. */
function isHolding(reason: LossReason): boolean {
  return reason === 'io' || reason === 'broken'
}

function interruptedEnding(reason: Exclude<LossReason, 'refused'>): Ending {
  return { status: 'interrupted', error: lossErrors[reason] }
}

function stateOnDisk({ engine, runs }: EndingContext, row: RunRow): RunState {
  try {
    return stateOf(engine, row, { history: [], events: runs.events(row.id) })
  } catch (error) {
    if (storeFault(error) !== undefined) throw error
    // A run that cannot be folded must end as well; otherwise every start would resume it and fail again.
    const blank = stateOf(engine, row, { history: [], events: [] })
    return { ...blank, seq: row.seq, lastAt: row.createdAt, usage: { ...row.usage } }
  }
}

function lossOf(cause: unknown): LossReason | undefined {
  return cause instanceof JournalLoss ? cause.reason : storeFault(cause)
}

const lossErrors: Record<Exclude<LossReason, 'refused'>, RunError> = {
  full: {
    code: 'disk_full',
    message: 'The disk is full, so the run could not be stored any further. Free some space and ask again.',
  },
  io: {
    code: 'storage',
    message:
      'The data folder cannot be written, so the run is paused. It continues once the folder can be written again.',
  },
  broken: {
    code: 'storage',
    message:
      'The database cannot be used, so the run is paused. It continues after the next start of the server.',
  },
  busy: {
    code: 'database_busy',
    message: 'Another program kept the database locked, so the run could not be stored any further.',
  },
}
