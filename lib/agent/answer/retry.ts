/**
 * Decides what follows a failed request to the model: another attempt after a wait, or the end of the run.
 */
import type { EventOf } from '#lib/spec/event'
import type { Breaker, ModelFault } from '#lib/spec/model'
import type { StepState } from '#lib/spec/state'
import { defaultModelRetry, type RunDeps } from '../deps'
import { tooLong } from '../state/compaction'

/** The code of a wait that no failed request of this run caused: the breaker holds requests back. */
export const resting = 'resting'
/** The number of such waits in one step after which the run gives up. */
const mostRests = 3

/** The code of a request that was repeated without asking for a JSON answer. */
const jsonRefused = 'json_refused'

/** Whether an earlier attempt of this step learned that the provider refuses requests for JSON. */
export function refusedJson(
  { retries }: Pick<StepState, 'retries'>,
  before = Number.POSITIVE_INFINITY,
): boolean {
  return retries.some(({ code, attempt }) => code === jsonRefused && attempt < before)
}

export type Retry =
  | { readonly again: true; readonly waitMs: number }
  | { readonly again: false; readonly fault: ModelFault }

export type RetryDeps = Pick<RunDeps, 'retry' | 'random' | 'clock'>

/**
 * Whether a failed request is made again. Tries are counted from the state, so a restart grants no new ones.
 * A request whose calls may have run is never made again.
 */
export function retryOf(
  fault: ModelFault,
  step: Pick<StepState, 'retries' | 'sealed'>,
  deps: RetryDeps,
): Retry {
  const { max, baseMs, capMs, longestHintMs } = deps.retry ?? defaultModelRetry
  const hint = hintOf(fault)
  if (hint > longestHintMs) return { again: false, fault: waitAtLeast(fault, deps.clock.now(), hint) }
  const tries = step.retries.filter(({ code }) => code !== resting && code !== tooLong)
  if (fault.retry === undefined || step.sealed.length > 0 || tries.length >= max)
    return { again: false, fault }
  const backoffs = tries.filter((each) => each.waitMs > 0).length
  if (fault.retry === 'now' && hint === 0 && backoffs === tries.length) return { again: true, waitMs: 0 }
  const most = Math.min(capMs, baseMs * 2 ** backoffs)
  const random = deps.random ?? Math.random
  // At least a millisecond: a wait of 0 marks the one try without a wait as used.
  return { again: true, waitMs: Math.max(1, Math.round(random() * most), hint) }
}

/**
 * The wait before a request that the breaker holds back for this long, or a fault after too many such waits.
 */
export function restOf(step: Pick<StepState, 'retries'>, waitMs: number): Retry {
  const rests = step.retries.filter((each) => each.code === resting).length
  if (rests < mostRests) return { again: true, waitMs: Math.max(1, Math.ceil(waitMs)) }
  return { again: false, fault: { code: resting, message: `${restReason} It did not recover in time.` } }
}
export const restReason =
  'The model failed several times in a row, so no requests are sent to it for a while.'

/**
 * Milliseconds left of the wait after the step's last failure, even if an earlier process began that wait.
 */
export function waitLeft({ retries }: StepState, lastAt: number, { clock }: Pick<RunDeps, 'clock'>): number {
  const last = retries.at(-1)
  if (last === undefined) return 0
  return Math.max(0, last.at + last.waitMs - Math.max(lastAt, Math.round(clock.now())))
}

function hintOf({ retryAfterMs = 0 }: ModelFault): number {
  return Number.isFinite(retryAfterMs) ? Math.max(0, Math.ceil(retryAfterMs)) : 0
}

const minuteMs = 60_000
const longestMs = 366 * 24 * 60 * minuteMs

function waitAtLeast(fault: ModelFault, now: number, hint: number): ModelFault {
  const until = timeIn(now, Math.min(hint, longestMs))
  return { ...fault, message: `${fault.message} The provider accepts no requests until ${until}.` }
}

/** The first full minute after this wait, with its date when that is not today. */
function timeIn(now: number, ms: number): string {
  const today = new Date(now).toISOString().slice(0, 10)
  const [day = '', time = ''] = new Date(Math.ceil((now + ms) / minuteMs) * minuteMs).toISOString().split('T')
  const at = `${time.slice(0, 5)} (UTC)`
  return day === today ? at : `${day} ${at}`
}

/** What a request showed about the provider; absent when the request was stopped from outside. */
export type ProviderReport = Pick<EventOf<'model.answered'>, 'finishReason'> & { readonly fault?: ModelFault }

/** A turn that the breaker granted, to be given back once: with the request's report, or without one. */
export function takeTurn(breaker: Breaker | undefined): (told?: ProviderReport) => void {
  let isOpen = breaker !== undefined
  return (told) => {
    if (!isOpen) return
    isOpen = false
    if (told === undefined || told.finishReason === 'cancelled') breaker?.released()
    else if (told.fault === undefined) breaker?.succeeded()
    else if (isProvidersOwn(told.fault)) breaker?.failed()
    else breaker?.released()
  }
}

/** A refused key or a bad request is not the provider's failure. */
function isProvidersOwn({ code, status = 0 }: ModelFault): boolean {
  switch (code) {
    case 'overloaded':
    case 'rate_limit':
    case 'connection':
    case 'timeout':
    case 'stalled':
    case 'cut':
      return true
    case 'http':
      return status >= 500
    case 'auth':
    case 'quota':
    case 'not_found':
    case 'bad_request':
    case 'context_length':
    case 'too_large':
    case 'protocol':
    case 'aborted':
    case 'settings':
    case 'resting':
    case 'json_refused':
    case 'cache_refused':
      return false
  }
  return code satisfies never
}
