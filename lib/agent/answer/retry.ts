/** What becomes of a failed request to the model: made again after which wait, or told as the run's end. */
import type { EventOf } from '#lib/spec/event'
import type { Breaker, ModelFault } from '#lib/spec/model'
import type { StepState } from '#lib/spec/state'
import { defaultModelRetry, type RunDeps } from '../deps'

/** The code of a wait that no failed request of this run asked for: the provider is left alone. */
export const resting = 'resting'
/** Such waits in one step, after which the run does not wait any longer. */
const mostRests = 3

/** The code of a request that was made again without asking for an answer in JSON. */
const jsonRefused = 'json_refused'

/** Whether an attempt of this step before the one given learned that the provider takes no request for JSON. */
export function refusedJson(
  { retries }: Pick<StepState, 'retries'>,
  before = Number.POSITIVE_INFINITY,
): boolean {
  return retries.some(({ code, attempt }) => code === jsonRefused && attempt < before)
}

export type Retry =
  | { readonly again: true; readonly waitMs: number }
  | { readonly again: false; readonly fault: ModelFault }

type RetryDeps = Pick<RunDeps, 'retry' | 'random' | 'clock'>

/**
 * Whether a failed request is made again. Tries are counted from the state, so that a restart grants no new ones;
 * a request whose calls may have run is never made again.
 */
export function retryOf(fault: ModelFault, step: StepState, deps: RetryDeps): Retry {
  const { max, baseMs, capMs, longestHintMs } = deps.retry ?? defaultModelRetry
  const hint = hintOf(fault)
  if (hint > longestHintMs) return { again: false, fault: waitAtLeast(fault, deps.clock.now(), hint) }
  const tries = step.retries.filter((each) => each.code !== resting)
  if (fault.retry === undefined || step.sealed.length > 0 || tries.length >= max)
    return { again: false, fault }
  const backoffs = tries.filter((each) => each.waitMs > 0).length
  if (fault.retry === 'now' && hint === 0 && backoffs === tries.length) return { again: true, waitMs: 0 }
  const most = Math.min(capMs, baseMs * 2 ** backoffs)
  const random = deps.random ?? Math.random
  // At least a millisecond: a wait of 0 tells that the one try without a wait is used up.
  return { again: true, waitMs: Math.max(1, Math.round(random() * most), hint) }
}

/** The rest before a request that the breaker holds back for so long; no request when there were too many. */
export function restOf(step: StepState, waitMs: number): Retry {
  const rests = step.retries.filter((each) => each.code === resting).length
  if (rests < mostRests) return { again: true, waitMs: Math.max(1, Math.ceil(waitMs)) }
  return { again: false, fault: { code: resting, message: `${restReason} It has not come back in time.` } }
}
export const restReason = 'The provider failed several times in a row and is left alone for a while.'

/** Milliseconds that are left of the wait the step's last failure asked for, whoever began it. */
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
  return { ...fault, message: `${fault.message} The provider asks to be left alone until ${until}.` }
}

/** The first full minute not before it, with its day when that is not today. */
function timeIn(now: number, ms: number): string {
  const today = new Date(now).toISOString().slice(0, 10)
  const [day = '', time = ''] = new Date(Math.ceil((now + ms) / minuteMs) * minuteMs).toISOString().split('T')
  const at = `${time.slice(0, 5)} (UTC)`
  return day === today ? at : `${day} ${at}`
}

/** What a request told of the provider; nothing when it was stopped from outside. */
export type ProviderReport = Pick<EventOf<'model.answered'>, 'finishReason'> & { readonly fault?: ModelFault }

/** A turn that the breaker has granted, given back once: with what the request told, or at last with nothing. */
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

/** A refused key or a bad request says nothing against the provider. */
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
      return false
  }
  return code satisfies never
}
