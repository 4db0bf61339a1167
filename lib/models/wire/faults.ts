/**
 * Turns provider errors (status codes, error bodies, broken connections) into faults that
 * tell a person what to do.
 */
import type { ModelFault, ModelFaultCode } from '#lib/spec/model'
import { type HeaderReader, retryAfterMs } from '#lib/spec/retry-after'
import { shorten, type Words, withoutKeys } from './fault-words'

/** The service of a request, for use in messages. */
export interface Site {
  /** `OpenAI`, or the name of the endpoint. */
  readonly label: string
  /** Without credentials, path and key. */
  readonly host: string
  readonly key?: string | undefined
}

const maxMessage = 500

export function faultAt(site: Site, fault: ModelFault): ModelFault {
  return { ...fault, message: shorten(withoutKeys(fault.message, site.key), maxMessage) }
}

interface Refusal {
  readonly status?: number | undefined
  readonly words: Words
  readonly headers?: HeaderReader
}

/** A fault with the provider's own text: a response with an error status, or an error inside a stream. */
export function faultOfRefusal(site: Site, { status, words, headers }: Refusal): ModelFault {
  const known = status ?? statusOf(words)
  const code = codeOf(known, words)
  const retry = retryOf(code, known, headers)
  const hint = retry === undefined || headers === undefined ? undefined : retryAfterMs(headers, Date.now())
  const said = words.message === '' ? '' : ` It says: ${words.message}`
  return faultAt(site, {
    code,
    message: `${sentence(site, code, known)}${said}`,
    ...(known === undefined ? {} : { status: known }),
    ...(retry === undefined ? {} : { retry }),
    ...(hint === undefined ? {} : { retryAfterMs: hint }),
  })
}

const statuses: readonly (readonly [RegExp, number])[] = [
  [/overloaded|server_busy|unavailable/, 529],
  [/quota|billing|spend_limit/, 429],
  [/rate_limit|too_many_requests|resource_exhausted/, 429],
  [/authentication|invalid_api_key|unauthorized/, 401],
  [/permission/, 403],
  [/not_found/, 404],
  [/timeout/, 504],
  [/invalid_request|bad_request|context_length/, 400],
  [/api_error|server_error|internal/, 500],
]

/** The status that an error inside a stream would have had as a response. */
function statusOf({ type, code }: Words): number | undefined {
  const given = Number(code)
  if (Number.isInteger(given) && given >= 400 && given < 600) return given
  const names = `${type} ${code}`.toLowerCase()
  return statuses.find(([pattern]) => pattern.test(names))?.[1]
}

const contextWords =
  /context_length|context length|context window|context size|prompt is too long|input is too long|maximum context|too many (input |prompt )?tokens|reduce the length|exceeds? the (model'?s )?(maximum|limit|available)[^.]*tokens/
const quotaNames = /insufficient_quota|billing|spend_limit|insufficient_balance|payment_required/
const quotaWords =
  /credit balance|insufficient (balance|credits?|funds|quota)|out of credits?|not enough credits?|billing (hard )?limit|spend(ing)? limit/
const keyWords = /api[ _-]?key/
const badWords = /invalid|incorrect|not valid|expired|missing/

function codeOf(status: number | undefined, { type, code, message }: Words): ModelFaultCode {
  const names = `${type} ${code}`.toLowerCase()
  const all = `${names} ${message.toLowerCase()}`
  const isBad = status === 400 || status === 413 || status === 422
  // Local servers report it with a 500, or without a status inside a stream. A 429 is about
  // tokens per minute instead.
  if (status === 413 || (status !== 429 && contextWords.test(all))) return 'context_length'
  if (status === 402 || ((isBad || status === 403 || status === 429) && isQuota(names, message)))
    return 'quota'
  if (status === 401 || status === 403) return 'auth'
  if (isBad) return isAboutKey(`${code} ${message}`.toLowerCase()) ? 'auth' : 'bad_request'
  if (status === 404) return 'not_found'
  if (status === 408 || status === 504) return 'timeout'
  if (status === 429) return 'rate_limit'
  if (status === 529 || /overloaded/.test(names)) return 'overloaded'
  return 'http'
}

function isAboutKey(words: string): boolean {
  return keyWords.test(words) && badWords.test(words)
}

function isQuota(names: string, message: string): boolean {
  return quotaNames.test(names) || quotaWords.test(message.toLowerCase())
}

function retryOf(
  code: ModelFaultCode,
  status: number | undefined,
  headers: HeaderReader | undefined,
): 'backoff' | undefined {
  const isSure = headers?.get('x-should-retry') === 'false'
  if (isSure) return undefined
  if (code === 'rate_limit' || code === 'overloaded' || code === 'timeout') return 'backoff'
  if (code !== 'http') return undefined
  const isPassing = status === undefined || (status >= 500 && status !== 501 && status !== 505)
  return isPassing || status === 409 || status === 425 ? 'backoff' : undefined
}

function sentence({ label, host, key }: Site, code: ModelFaultCode, status: number | undefined): string {
  const http = status === undefined ? '' : ` (HTTP ${status})`
  switch (code) {
    case 'auth':
      return key === undefined
        ? `${label} requires a key, and none was sent${http}. Set one under Settings.`
        : `${label} refused the key${http}. Check it under Settings.`
    case 'quota':
      return `The account at ${label} has no credit left, or has reached its spending limit${http}. Add credit or raise the limit there, then run again.`
    case 'rate_limit':
      return `${label} received too many requests${http}.`
    case 'overloaded':
      return `${label} is overloaded${http}.`
    case 'not_found':
      return `${label} has no such model or address${http}. Check the name of the model, and the address ${host} under Settings.`
    case 'context_length':
      return `The dialogue is too long for the model${http}. Start a new thread, or keep less of the history.`
    case 'bad_request':
      return `${label} refused the request${http}. Check the settings of the model.`
    case 'timeout':
      return `${label} timed out${http}.`
    default:
      // The other codes are told where they arise; what is left here is a failure of the service.
      return status !== undefined && status >= 300 && status < 400
        ? `${host} redirects to another address${http}. Enter that address under Settings.`
        : `${label} failed${http}.`
  }
}

/** The response does not follow the API. */
export function protocolFault(site: Site, what: string, text: string): ModelFault {
  const shown = text === '' ? '' : ` It begins: ${text}`
  return faultAt(site, { code: 'protocol', message: `${site.label} ${what}${shown}` })
}

export const aborted: ModelFault = { code: 'aborted', message: 'The request was cancelled.' }

export function cutFault(site: Site): ModelFault {
  return faultAt(site, {
    code: 'cut',
    message: `The answer of ${site.label} ended before it was complete.`,
    retry: 'backoff',
  })
}

export function tooLargeFault(site: Site, what: string): ModelFault {
  return faultAt(site, {
    code: 'too_large',
    message: `${site.label} sent ${what}, which is over the limit.`,
  })
}

/** The settings do not allow a request (no address, no key, or a blocked port), so nothing is sent. */
export function settingsFault(message: string): ModelFault {
  return { code: 'settings', message: shorten(message, maxMessage) }
}
