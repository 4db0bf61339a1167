/** Ends runs that their loop cannot end: never begun, no longer assembled, or cut off from the disk. */
import { storeFault } from '#db/fault'
import type { RunDeps } from '#lib/agent/deps'
import { breakOff } from '#lib/agent/run'
import type { RunEnding, RunError } from '#lib/spec/event'
import type { RunState } from '#lib/spec/state'
import type { RunRow, RunStore } from '#lib/spec/store'
import { type Journal, JournalLoss, type LossReason } from './journal'
import { type Folding, stateOf } from './run-history'

export interface Endings {
  /** Gives every open call its result and ends the run as it stands on disk; nothing when it is finished already. */
  end(runId: string, status: RunEnding, error: RunError | null): Promise<void>
  /** The run's events did not reach the disk: it is shown as interrupted, and written down so as soon as that can be. */
  fall(runId: string, reason: LossReason): void
  /** Runs whose end could not be written yet, with the reason. */
  readonly fallen: ReadonlyMap<string, RunError>
}

interface EndingContext {
  readonly runs: RunStore
  readonly journal: Journal
  readonly engine: Folding
  readonly clock: RunDeps['clock']
  /** Ends the attempts to write down what has fallen. */
  readonly signal: AbortSignal
  /** Told when nothing is fallen any more. */
  recovered(): void
}

/** Between two attempts to write the end of a fallen run. */
const retryMs = 2_000

export function createEndings(context: EndingContext): Endings {
  const fallen = new Map<string, RunError>()

  async function write(runId: string, status: RunEnding, error: RunError | null): Promise<void> {
    context.journal.flush()
    const row = context.runs.get(runId)
    if (row === undefined || row.finishedAt !== null) return
    for (const event of breakOff(stateOnDisk(context, row), context, { status, answer: null, error }))
      context.journal.append(runId, event)
    await context.journal.committed()
  }

  async function end(runId: string, status: RunEnding, error: RunError | null): Promise<void> {
    try {
      await write(runId, status, error)
    } catch (cause) {
      const reason = lossOf(cause)
      if (reason === undefined) throw cause
      fall(runId, reason)
    }
  }

  function fall(runId: string, reason: LossReason): void {
    if (reason === 'refused' || fallen.has(runId)) return
    fallen.set(runId, lossErrors[reason])
    void keepTrying(runId, lossErrors[reason])
  }

  async function keepTrying(runId: string, error: RunError): Promise<void> {
    while (!context.signal.aborted) {
      await context.clock.sleep(retryMs, context.signal)
      if (context.signal.aborted) return
      try {
        await write(runId, 'interrupted', error)
        fallen.delete(runId)
        if (fallen.size === 0) context.recovered()
        return
      } catch (cause) {
        if (lossOf(cause) === undefined) throw cause
      }
    }
  }

  return { end, fall, fallen }
}

function stateOnDisk({ engine, runs }: EndingContext, row: RunRow): RunState {
  try {
    return stateOf(engine, row, { history: [], events: runs.events(row.id) })
  } catch (error) {
    if (storeFault(error) !== undefined) throw error
    // What cannot be folded must end as well, or every start would take it up and fail again.
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
    message: 'The disk is full, so the run could not be stored any further; free some space and ask again.',
  },
  io: {
    code: 'storage',
    message: 'The data folder cannot be written, so the run could not be stored any further.',
  },
  busy: {
    code: 'database_busy',
    message: 'Another program kept the database locked, so the run could not be stored any further.',
  },
}
