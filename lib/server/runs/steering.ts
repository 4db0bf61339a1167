/** Gives a person's words to the run of a thread that is under way, as events among those of the run itself. */
import { emitter } from '#lib/agent/engine'
import { AppError } from '#lib/spec/errors'
import type { RunSummaryRow, Stores } from '#lib/spec/store'
import { type Journal, JournalLoss } from './journal'
import type { Live } from './run-drive'
import { stateOf } from './run-history'
import type { Queue } from './run-queue'
import type { RunsContext } from './runs-context'
import { isFull, mostUnread, type SteerOutcome } from './steering-line'

interface SteerContext extends Pick<RunsContext, 'engine' | 'clock'> {
  readonly stores: Pick<Stores, 'runs'>
  readonly journal: Journal
  readonly queue: Pick<Queue<Live>, 'atWork' | 'done'>
  /** The run of the thread that has begun or is about to. */
  newest(threadId: string): RunSummaryRow | undefined
}

/**
 * Resolves with the run that has the words, once they are on disk. Undefined when no run of the thread is
 * under way, or when it ended before it could take them.
 */
export async function steerRun(
  context: SteerContext,
  { threadId, text }: { threadId: string; text: string },
): Promise<RunSummaryRow | undefined> {
  const { journal, queue, stores } = context
  for (;;) {
    journal.flush()
    const run = context.newest(threadId)
    if (run === undefined || run.finishedAt !== null || run.cancelling) return undefined
    const live = queue.atWork(run.id)
    const said = live === undefined ? record(context, run.id, text) : await live.steering.say(text)
    if (said === 'full')
      throw new AppError('too_many', `${mostUnread} messages already wait for the next step of this run.`)
    if (said === 'ended') {
      await queue.done(run.id)
      continue
    }
    await onDisk(journal, live, 'The message')
    return stores.runs.get(run.id) ?? run
  }
}

/** For a run that is not at work: it waits for a person or for its turn. */
function record({ stores, engine, journal, clock }: SteerContext, runId: string, text: string): SteerOutcome {
  const row = stores.runs.get(runId)
  if (row === undefined) return 'ended'
  const state = stateOf(engine, row, { history: [], events: stores.runs.settledEvents(runId) })
  if (isFull(state)) return 'full'
  // The events were read without deltas, so the last number comes from the row.
  state.seq = row.seq
  journal.append(runId, emitter(state, { clock })({ type: 'run.steered', text }))
  return 'said'
}

/** Resolves when what a person gave to the run is on disk; `what` names it in the message if it cannot be. */
export async function onDisk(journal: Journal, live: Live | undefined, what: string): Promise<void> {
  try {
    await journal.committed()
    if (live?.lost === undefined) return
  } catch (error) {
    if (!(error instanceof JournalLoss)) throw error
    // Another run's loss in the same batch does not matter here.
    if (live !== undefined && live.lost === undefined) return
  }
  throw new AppError('unavailable', `${what} cannot be stored just now. Try again in a moment.`)
}
