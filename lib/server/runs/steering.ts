/** Gives a person's words to the run of a thread that is under way, as events among those of the run itself. */
import { emitter } from '#lib/agent/engine'
import { steadyClock } from '#lib/agent/steady-clock'
import { AppError } from '#lib/spec/errors'
import type { RunEvent } from '#lib/spec/event'
import type { RunState } from '#lib/spec/state'
import type { RunSummaryRow, Stores } from '#lib/spec/store'
import { type Journal, JournalLoss } from './journal'
import type { Live } from './run-drive'
import { stateOf } from './run-history'
import type { Queue } from './run-queue'
import type { RunsContext } from './runs-context'

/** `ended`: the run is no longer at work and has not taken the words. */
type Said = 'said' | 'full' | 'ended'

/** Words for a run at work, until they can be written between two of its events. */
export class Steering {
  readonly #line: { readonly text: string; done(said: Said): void }[] = []
  #write: ((text: string) => 'said' | 'full' | 'later') | undefined
  /** The number of the run's last event that is in the journal. */
  #stored = 0
  #isClosed = false

  say(text: string): Promise<Said> {
    if (this.#isClosed) return Promise.resolve('ended')
    return new Promise((done) => {
      this.#line.push({ text, done })
      this.flush()
    })
  }

  /** The state of the run is known from now on, and `append` stores an event of it. */
  open(state: RunState, clock: RunsContext['clock'], append: (event: RunEvent) => void): void {
    const emit = emitter(state, { clock: steadyClock(clock, state.lastAt) })
    this.#stored = state.seq
    this.#write = (text) => {
      // The loop has numbered an event that is not in the journal yet, and that one must come first.
      if (state.seq !== this.#stored) return 'later'
      if (isFull(state)) return 'full'
      const event = emit({ type: 'run.steered', text })
      this.#stored = event.seq
      append(event)
      return 'said'
    }
    this.flush()
  }

  /** The loop's event is in the journal. */
  stored(event: RunEvent): void {
    this.#stored = event.seq
    if (event.type === 'run.finished' && event.parent === undefined) this.close()
    else if (this.#line.length > 0) this.flush()
  }

  /** The run is no longer at work: words that were not written are given back. */
  close(): void {
    this.#isClosed = true
    for (const { done } of this.#line.splice(0)) done('ended')
  }

  flush(): void {
    for (let first = this.#line[0]; first !== undefined; first = this.#line[0]) {
      const said = this.#write?.(first.text) ?? 'later'
      if (said === 'later') return
      this.#line.shift()
      first.done(said)
    }
  }
}

/** Messages that may wait for the next step of one run. */
const mostUnread = 20

function isFull({ steered = [] }: RunState): boolean {
  return steered.length >= mostUnread
}

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
    await stored(journal, live)
    return stores.runs.get(run.id) ?? run
  }
}

/** For a run that is not at work: it waits for a person or for its turn. */
function record({ stores, engine, journal, clock }: SteerContext, runId: string, text: string): Said {
  const row = stores.runs.get(runId)
  if (row === undefined) return 'ended'
  const state = stateOf(engine, row, { history: [], events: stores.runs.settledEvents(runId) })
  if (isFull(state)) return 'full'
  // The events were read without deltas, so the last number comes from the row.
  state.seq = row.seq
  journal.append(runId, emitter(state, { clock })({ type: 'run.steered', text }))
  return 'said'
}

async function stored(journal: Journal, live: Live | undefined): Promise<void> {
  try {
    await journal.committed()
    if (live?.lost === undefined) return
  } catch (error) {
    if (!(error instanceof JournalLoss)) throw error
    // Another run's loss in the same batch does not matter here.
    if (live !== undefined && live.lost === undefined) return
  }
  throw new AppError('unavailable', 'The message cannot be stored just now. Try again in a moment.')
}
