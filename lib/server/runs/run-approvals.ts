/**
 * Decisions on calls that wait for a person: made once, stored, and made by default when the time is over.
 */
import { storeFault } from '#db/fault'
import { decidedEvent, personsArgs } from '#lib/agent/call/approvals'
import type { Decided } from '#lib/agent/call/decisions'
import { withoutSecrets } from '#lib/agent/call/originals'
import { emitter } from '#lib/agent/engine'
import { fitArgs } from '#lib/agent/fit/args'
import { AppError } from '#lib/spec/errors'
import { jsonKey } from '#lib/spec/json'
import type { Redact } from '#lib/spec/redact'
import type { Approval, RunState } from '#lib/spec/state'
import type { Pending, RunRow, RunStore } from '#lib/spec/store'
import type { BoundTool } from '#lib/spec/toolkit'
import type { DecideCall } from '#lib/wire/runs'
import { JournalLoss } from './journal'
import type { Live } from './run-drive'
import { stateOf } from './run-history'
import type { Queue } from './run-queue'
import type { RunsContext } from './runs-context'

interface ApprovalsContext extends Pick<RunsContext, 'engine' | 'assemble' | 'clock' | 'originals'> {
  readonly runs: RunStore
  readonly journal: { append: Append; committed(): Promise<void>; flush(): void }
  readonly queue: Pick<Queue<Live>, 'atWork' | 'done'>
  /** Ends every wait. */
  readonly signal: AbortSignal
  /** The run has a stored decision and must continue. */
  goOn(row: RunRow): void
  report(error: unknown, runId: string): void
}
type Append = (runId: string, event: ReturnType<ReturnType<typeof emitter>>) => void

export interface Approvals {
  /**
   * A person's decision. Repeating it changes nothing; a different one is a `conflict` that names the first.
   */
  decide(runId: string, callId: string, said: DecideCall): Promise<void>
  /** Decides the call when its time is over. `askedAt` is given when the approval is requested now. */
  watch(runId: string, asked: Asked): void
  /** Ends the wait for the call, or for all calls of the run. */
  unwatch(runId: string, callId?: string): void
}

interface Asked extends Pick<Pending, 'callId' | 'expiresAt' | 'onTimeout'> {
  readonly askedAt?: number
}

export function createApprovals(context: ApprovalsContext): Approvals {
  /** What ends the wait for each call, grouped by run. */
  const watched = new Map<string, Map<string, AbortController>>()
  context.signal.addEventListener('abort', () => {
    for (const runId of [...watched.keys()]) unwatch(runId)
  })

  function unwatch(runId: string, callId?: string): void {
    const calls = watched.get(runId)
    for (const id of callId === undefined ? [...(calls?.keys() ?? [])] : [callId]) {
      calls?.get(id)?.abort('decided')
      calls?.delete(id)
    }
    if (calls?.size === 0) watched.delete(runId)
  }

  async function decide(runId: string, decided: Decided, written: Written = {}): Promise<void> {
    for (;;) {
      context.journal.flush()
      const { row, state } = readRun(context, runId)
      const approval = state.calls.get(decided.callId)?.approval
      if (approval === undefined) throw new AppError('not_found', 'This call is not waiting for a decision.')
      if (approval.decided !== undefined) return checkSame(approval.decided, decided, written)
      if (row.finishedAt !== null) throw new AppError('conflict', 'The run is over.')
      const live = context.queue.atWork(runId)
      if (live === undefined) {
        await record(context, row, { state, decided, written })
        return unwatch(runId, decided.callId)
      }
      // A loop at work owns the run's events: it stores the decision, or it ends and this loop tries again.
      const heard = new Promise<void>((resolve) => live.heard.push(resolve))
      live.decisions.push(decided)
      await Promise.race([heard, context.queue.done(runId)])
    }
  }

  /** Counts the time while the server runs, so a changed system clock neither shortens nor extends it. */
  async function inTime(runId: string, { callId, expiresAt, onTimeout, askedAt }: Asked) {
    if (expiresAt === null || context.signal.aborted) return
    unwatch(runId, callId)
    const { signal, ...wait } = startWait(runId, callId)
    const { clock } = context
    try {
      const leftMs = askedAt === undefined ? leftAfterStart(runId, callId, expiresAt) : expiresAt - askedAt
      const until = clock.monotonic() + leftMs
      for (let left = leftMs; left > 0 && !signal.aborted; left = until - clock.monotonic())
        await clock.sleep(Math.min(left, longestSleepMs), signal)
      if (signal.aborted) return
      await decideWhenStored(runId, { callId, decision: onTimeout, scope: 'call', by: 'timeout' })
    } catch (error) {
      // A person decided first, or the run is over. After any other error, the next start watches again.
      if (!signal.aborted && !(error instanceof AppError)) context.report(error, runId)
    } finally {
      wait.end()
    }
  }

  /** Tries again for as long as the disk cannot be written. */
  async function decideWhenStored(runId: string, decided: Decided): Promise<void> {
    for (;;) {
      try {
        return await decide(runId, decided)
      } catch (error) {
        const isForNow =
          storeFault(error) !== undefined || (error instanceof AppError && error.code === 'unavailable')
        if (!isForNow || context.signal.aborted) throw error
      }
      await context.clock.sleep(retryMs, context.signal)
      if (context.signal.aborted) return
    }
  }

  function startWait(runId: string, callId: string): { signal: AbortSignal; end(): void } {
    const calls = watched.get(runId) ?? new Map<string, AbortController>()
    const wait = new AbortController()
    watched.set(runId, calls.set(callId, wait))
    // The same call may be requested again meanwhile; that newer wait must stay.
    const end = () => {
      if (watched.get(runId)?.get(callId) === wait) unwatch(runId, callId)
    }
    return { signal: wait.signal, end }
  }

  /** The time left after a restart; never more than the original time, even if the clock was set back. */
  function leftAfterStart(runId: string, callId: string, expiresAt: number): number {
    const left = expiresAt - context.clock.now()
    const askedAt = readRun(context, runId).state.calls.get(callId)?.approval?.askedAt
    return askedAt === undefined ? left : Math.min(left, expiresAt - askedAt)
  }

  return {
    decide: async (runId, callId, { decision, scope = 'call', reason, args }) => {
      const written = args === undefined ? undefined : await toolOf(context, runId, callId)
      if (args !== undefined && decision === 'approve') checkArgs(context, { runId, callId, args, written })
      const more = { ...(reason !== undefined && { reason }), ...(args !== undefined && { args }) }
      await decide(runId, { callId, decision, scope, by: 'person', ...more }, written)
    },
    watch: (runId, asked) => void inTime(runId, asked),
    unwatch,
  }
}

/** Between two attempts to store a decision, ms. */
const retryMs = 2_000
/** Timers of Node count milliseconds in a signed 32-bit integer. */
const longestSleepMs = 2_000_000_000

function readRun({ runs, engine }: ApprovalsContext, runId: string): { row: RunRow; state: RunState } {
  const row = runs.get(runId)
  if (row === undefined) throw new AppError('not_found', 'There is no such run.')
  return { row, state: stateOf(engine, row, { history: [], events: runs.settledEvents(runId) }) }
}

/** Stores a decision for a run that is not at work; the run then continues from the stored events. */
async function record(
  { journal, clock, goOn, originals }: ApprovalsContext,
  row: RunRow,
  { state, decided, written }: { state: RunState; decided: Decided; written: Written },
): Promise<void> {
  // The events were read without deltas, so the last number comes from the row.
  state.seq = row.seq
  const call = state.calls.get(decided.callId)
  if (call === undefined) throw new Error('a decision is on a call that the run does not have')
  const { redact, tool } = written
  const event = decidedEvent({ redact, originals: originals?.(row.id) }, decided, { call, tool })
  journal.append(row.id, emitter(state, { clock })(event))
  try {
    await journal.committed()
  } catch (error) {
    if (!(error instanceof JournalLoss)) throw error
    throw new AppError('unavailable', 'The decision cannot be stored just now. Try again in a moment.')
  }
  goOn(row)
}

function checkSame(stands: NonNullable<Approval['decided']>, said: Decided, { redact }: Written): void {
  const key = ({ args }: Pick<Decided, 'args'>) =>
    args === undefined ? undefined : jsonKey(withoutSecrets(redact, args))
  if (stands.decision === said.decision && key(stands) === key(said)) return
  const word = stands.decision === 'approve' ? 'approved' : 'rejected'
  const who = {
    person: 'by a person',
    timeout: 'because nobody decided in time',
    cancel: 'because the run ended',
  }[stands.by]
  const { decision, by } = stands
  throw new AppError('conflict', `The call was already ${word}, ${who}.`, { standing: { decision, by } })
}

/** What arguments that a person wrote are read with; empty when the tool no longer exists. */
interface Written {
  readonly tool?: BoundTool | undefined
  readonly redact?: Redact | undefined
}

async function toolOf(context: ApprovalsContext, runId: string, callId: string): Promise<Written> {
  const { row, state } = readRun(context, runId)
  const assembled = await context.assemble(row.config)
  if (!assembled.ok) return {}
  const { tools, redact } = assembled.value
  const name = state.calls.get(callId)?.name
  return { tool: tools.find((each) => each.name === name), redact }
}

interface Given {
  readonly runId: string
  readonly callId: string
  readonly args: NonNullable<DecideCall['args']>
  readonly written: Written | undefined
}

/** Arguments that a person wrote must fit the tool just as a model's must. */
function checkArgs(context: ApprovalsContext, { runId, callId, args, written = {} }: Given): void {
  const call = readRun(context, runId).state.calls.get(callId)
  const { tool, redact } = written
  if (tool === undefined || call === undefined) return
  const stored = context.originals?.(runId)
  // Only the decision that counts may keep anything.
  const originals = stored && { ...stored, keep: () => undefined }
  const { original, redacted } = personsArgs({ redact, originals }, args, { call, tool })
  const fit = fitArgs(tool, original)
  if (!('invalid' in fit)) return
  const message = redacted ? 'The arguments do not fit the tool.' : fit.invalid.message
  throw new AppError('unprocessable', message, { path: 'args' })
}
