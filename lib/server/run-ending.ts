/** Ends runs that their loop cannot end: never begun, no longer assembled, or cut off from the disk. */
import { storeFault } from '#db/fault'
import type { RunEnding, RunError, RunEvent } from '#lib/spec/event'
import type { RunRow, RunStore } from '#lib/spec/store'
import { type Journal, JournalLoss, type LossReason } from './journal'

export interface Endings {
  /** Writes `run.finished` with the figures on disk; nothing when the run is finished already. */
  end(runId: string, status: RunEnding, error: RunError | null): Promise<void>
  /** The run's events did not reach the disk: it is shown as interrupted, and written down so as soon as that can be. */
  fall(runId: string, reason: LossReason): void
  /** Runs whose end could not be written yet, with the reason. */
  readonly fallen: ReadonlyMap<string, RunError>
}

export interface EndingContext {
  readonly runs: RunStore
  readonly journal: Journal
  readonly clock: { now(): number; sleep(ms: number, signal: AbortSignal): Promise<void> }
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
    context.journal.append(runId, endingOf(row, { status, error, at: context.clock.now() }))
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

function endingOf(
  row: RunRow,
  { status, error, at }: { status: RunEnding; error: RunError | null; at: number },
): RunEvent {
  return {
    type: 'run.finished',
    seq: row.seq + 1,
    at,
    step: row.steps,
    status,
    answer: null,
    usage: row.usage,
    costUsd: row.costUsd,
    steps: row.steps,
    toolCalls: [...row.toolCalls],
    startedAt: row.startedAt ?? row.createdAt,
    finishedAt: at,
    error,
  }
}
