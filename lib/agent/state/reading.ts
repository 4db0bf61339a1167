/** What a run is doing, read from its state: screens and the command line only put it into words. Pure. */
import type { RunEnding } from '#lib/spec/event'
import type { CallState, RunState, StepState } from '#lib/spec/state'
import { runningInBackground } from './background'
import { joinPath } from './inner-path'
import { openInputsOf } from './input-fold'
import { isWaiting } from './waiting'

// The screens import nothing else from this room, so they get these from here as well.
export { callAt, joinPath } from './inner-path'
export { openInputsOf } from './input-fold'
export { isWaiting } from './waiting'

export type Phase =
  /** No event has come. */
  | { readonly at: 'new' }
  | { readonly at: 'queued'; readonly since: number | undefined }
  /** Begun, and no step yet. */
  | { readonly at: 'starting'; readonly since: number | undefined }
  /** A person decides on at least one call, or replies to it; others may be at work. */
  | {
      readonly at: 'waiting'
      readonly step: StepState
      readonly waiting: readonly CallState[]
      readonly open: readonly CallState[]
    }
  /** Calls have no result yet: their arguments stream, they are due, or they run. */
  | { readonly at: 'calling'; readonly step: StepState; readonly open: readonly CallState[] }
  /** A request failed, and the next one is made at `until`. */
  | {
      readonly at: 'retrying'
      readonly step: StepState
      readonly failed: StepState['retries'][number]
      readonly until: number
    }
  /** The model has said no word of its answer yet. */
  | { readonly at: 'thinking'; readonly step: StepState }
  | { readonly at: 'answering'; readonly step: StepState }
  | { readonly at: 'ended'; readonly status: RunEnding }

export function phaseOf(state: RunState): Phase {
  const { status, queuedAt, steps } = state
  if (status === 'new') return { at: 'new' }
  if (hasEnded(status)) return { at: 'ended', status }
  if (status === 'queued') return { at: 'queued', since: queuedAt }
  const step = steps.at(-1)
  if (step === undefined) return { at: 'starting', since: queuedAt }
  const open = openCalls(state, step)
  const asking = open.length === 0 && step.finishedAt !== undefined ? askingInBackground(state) : []
  const waiting = [...step.calls.filter((call) => call.result === undefined && isWaiting(call)), ...asking]
  if (waiting.length > 0) return { at: 'waiting', step, waiting, open }
  if (open.length > 0) return { at: 'calling', step, open }
  const failed = awaitedRetry(step)
  if (failed !== undefined) return { at: 'retrying', step, failed, until: failed.at + failed.waitMs }
  return { at: step.live.text === '' ? 'thinking' : 'answering', step }
}

/** Whether nothing of the step can change any more: it is finished, and so are its calls in the background. */
export function isSettled({ finishedAt, calls }: StepState): boolean {
  return (
    finishedAt !== undefined &&
    calls.every(({ background, result }) => background === undefined || result !== undefined)
  )
}

/**
 * The calls that the run is waiting for. It waits for those in the background only when nothing else is left to
 * do.
 */
function openCalls(state: RunState, step: StepState): CallState[] {
  const own = step.calls.filter(
    (call) => call.result === undefined && call.background === undefined && !isWaiting(call),
  )
  if (own.length > 0 || step.finishedAt === undefined) return own
  return runningInBackground(state).filter((call) => !isWaiting(call))
}

function askingInBackground(state: RunState): CallState[] {
  return runningInBackground(state).filter(isWaiting)
}

function hasEnded(status: RunState['status']): status is RunEnding {
  return status !== 'new' && status !== 'queued' && status !== 'running' && status !== 'waiting'
}

/** The failed request that the next one is waited for: the last request of the step is the one that failed. */
export function awaitedRetry({
  retries,
  request,
  answeredAt,
}: Pick<StepState, 'retries' | 'request' | 'answeredAt'>): StepState['retries'][number] | undefined {
  const last = retries.at(-1)
  if (last === undefined || answeredAt !== undefined) return undefined
  return request === undefined || request.at <= last.at ? last : undefined
}

/** A call that asks a person something, of the run or of a run inside one of its calls. */
export interface AskingCall {
  /** Its id, after those of the calls around it. */
  readonly path: string
  readonly call: CallState
  /** The run that it belongs to. */
  readonly of: RunState
}

/** All calls that a person has to decide on or to reply to, those of runs inside calls too, in their order. */
export function askingCallsOf(state: RunState, above?: string): readonly AskingCall[] {
  return waitingCallsOf(state).flatMap((call) => {
    const path = above === undefined ? call.id : joinPath(above, call.id)
    const { approval, inner } = call
    const asks = (approval !== undefined && approval.decided === undefined) || openInputsOf(call).length > 0
    const inside = inner === undefined || inner.waiting === 0 ? [] : askingCallsOf(inner, path)
    return asks ? [{ path, call, of: state }, ...inside] : inside
  })
}

/** The calls that a person has to decide on or to reply to, in their order: those of the last step, then others. */
export function waitingCallsOf(state: RunState): readonly CallState[] {
  if (state.finishedAt !== undefined) return []
  const own = (state.steps.at(-1)?.calls ?? []).filter((call) => call.result === undefined && isWaiting(call))
  return [...new Set([...own, ...askingInBackground(state)])]
}
