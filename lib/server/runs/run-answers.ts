/** Gives what a person says about a waiting call to its run, whether the run is at work or rests. */
import type { Decisions } from '#lib/agent/call/decisions'
import { emitter } from '#lib/agent/engine'
import { AppError } from '#lib/spec/errors'
import type { EventBody, RunEvent } from '#lib/spec/event'
import type { RunState } from '#lib/spec/state'
import type { RunRow, RunStore } from '#lib/spec/store'
import { JournalLoss } from './journal'
import type { Live } from './run-drive'
import { stateOf } from './run-history'
import type { Queue } from './run-queue'
import type { RunsContext } from './runs-context'

export interface AnswersContext extends Pick<RunsContext, 'engine' | 'assemble' | 'clock' | 'originals'> {
  readonly runs: RunStore
  readonly journal: {
    append(runId: string, event: RunEvent): void
    committed(): Promise<void>
    flush(): void
  }
  readonly queue: Pick<Queue<Live>, 'atWork' | 'done'>
  /** The run has a stored answer and must continue. */
  goOn(row: RunRow): void
}

export interface PersonsAnswer {
  /** The path of the call. */
  readonly callId: string
  /**
   * Whether the same answer is on record already. Throws an AppError when another one is, or when there is
   * nothing to answer.
   */
  stands(state: RunState, isAtWork: boolean): boolean
  /** The event of the answer, for a run that rests. */
  event(state: RunState): EventBody
  /** Passes the answer to the loop of a run at work, which records it. */
  pass(decisions: Decisions): void
  /** What it is, for the message that it could not be stored: `decision`. */
  readonly what: string
}

/** Resolves when the answer is on record. */
export async function answerRun(
  context: AnswersContext,
  runId: string,
  answer: PersonsAnswer,
): Promise<void> {
  for (;;) {
    context.journal.flush()
    const { row, state } = readRun(context, runId)
    const live = context.queue.atWork(runId)
    if (answer.stands(state, live !== undefined)) return
    if (row.finishedAt !== null) throw new AppError('conflict', 'The run is over.')
    if (live === undefined) return record(context, row, { state, answer })
    // A loop at work owns the run's events: it stores the answer, or it ends and this loop tries again.
    const heard = new Promise<void>((resolve) => live.heard.push({ callId: answer.callId, tell: resolve }))
    answer.pass(live.decisions)
    await Promise.race([heard, context.queue.done(runId)])
  }
}

export function readRun(
  { runs, engine }: Pick<AnswersContext, 'runs' | 'engine'>,
  runId: string,
): { row: RunRow; state: RunState } {
  const row = runs.get(runId)
  if (row === undefined) throw new AppError('not_found', 'There is no such run.')
  return { row, state: stateOf(engine, row, { history: [], events: runs.settledEvents(runId) }) }
}

/** The config of the run itself, or of the run inside a call; undefined when that agent is not stored with the run. */
export function configAround(
  runs: Pick<RunStore, 'agentsOf'>,
  row: RunRow,
  around: RunState | undefined,
): string | undefined {
  if (around === undefined || around.start.agent.id === row.agent.id) return row.config
  const { name, version } = around.start.agent
  for (const each of runs.agentsOf(row.id))
    if ('config' in each && each.agent.name === name && each.agent.version === version) return each.config
  return undefined
}

/** Stores an answer for a run that is not at work; the run then continues from the stored events. */
async function record(
  { journal, clock, goOn }: AnswersContext,
  row: RunRow,
  { state, answer }: { state: RunState; answer: PersonsAnswer },
): Promise<void> {
  // The events were read without deltas, so the last number comes from the row.
  state.seq = row.seq
  journal.append(row.id, emitter(state, { clock })(answer.event(state)))
  try {
    await journal.committed()
  } catch (error) {
    if (!(error instanceof JournalLoss)) throw error
    throw new AppError('unavailable', `The ${answer.what} cannot be stored just now. Try again in a moment.`)
  }
  goOn(row)
}
