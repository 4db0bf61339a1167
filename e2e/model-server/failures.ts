/** The HTTP failures of the services, in their own words. */
import type { JsonObject } from '#lib/spec/json'
import type { Fault, Wire } from './behaviour'
import type { Refusal } from './refusal'

type HttpFault = Extract<Fault, { status: number }>

export interface Failure {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface Words {
  readonly type: string
  readonly code?: string
  readonly message: string
}

const openaiWords: Readonly<Record<number, Words>> = {
  400: { type: 'invalid_request_error', message: 'Invalid request.' },
  401: {
    type: 'invalid_request_error',
    code: 'invalid_api_key',
    message: 'Incorrect API key provided. You can find your API key in your account settings.',
  },
  403: {
    type: 'request_forbidden',
    code: 'unsupported_country_region_territory',
    message: 'Country, region, or territory not supported',
  },
  404: {
    type: 'invalid_request_error',
    code: 'model_not_found',
    message: 'The model does not exist or you do not have access to it.',
  },
  429: {
    type: 'requests',
    code: 'rate_limit_exceeded',
    message: 'Rate limit reached for requests. Please try again later.',
  },
  500: { type: 'server_error', message: 'The server had an error while processing your request.' },
  503: { type: 'server_error', message: 'The engine is currently overloaded, please try again later.' },
}

const anthropicWords: Readonly<Record<number, Words>> = {
  400: { type: 'invalid_request_error', message: 'Invalid request.' },
  401: { type: 'authentication_error', message: 'invalid x-api-key' },
  403: { type: 'permission_error', message: 'Your API key does not have permission for this resource.' },
  404: { type: 'not_found_error', message: 'model: no such model' },
  413: { type: 'request_too_large', message: 'Request exceeds the maximum size' },
  429: { type: 'rate_limit_error', message: 'This request would exceed your rate limit.' },
  500: { type: 'api_error', message: 'Internal server error' },
  504: { type: 'timeout_error', message: 'Request timed out' },
  529: { type: 'overloaded_error', message: 'Overloaded' },
}

const special = {
  openai: {
    quota: {
      type: 'insufficient_quota',
      code: 'insufficient_quota',
      message: 'You exceeded your current quota, please check your plan and billing details.',
    },
    context: {
      type: 'invalid_request_error',
      code: 'context_length_exceeded',
      message:
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 9104 tokens.",
    },
  },
  anthropic: {
    quota: {
      type: 'invalid_request_error',
      message: 'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing.',
    },
    context: {
      type: 'invalid_request_error',
      message: 'prompt is too long: 208310 tokens > 200000 maximum',
    },
  },
} as const

export function failureOf(wire: Wire, fault: HttpFault): Failure {
  const { status, about, headers = {}, body, contentType = 'application/json' } = fault
  const words: Words =
    about !== undefined
      ? special[wire === 'anthropic' ? 'anthropic' : 'openai'][about]
      : ((wire === 'anthropic' ? anthropicWords : openaiWords)[status] ?? {
          type: wire === 'anthropic' ? 'api_error' : 'server_error',
          message: `HTTP ${status}`,
        })
  return {
    status,
    headers: { 'content-type': contentType, 'x-request-id': 'req_failure', ...headers },
    body: body ?? JSON.stringify(errorBody(wire, words)),
  }
}

export function refusedBy(wire: Wire, { message, param, code }: Refusal): Failure {
  const words = { type: 'invalid_request_error', message, ...(code !== undefined && { code }) }
  return {
    status: 400,
    headers: { 'content-type': 'application/json', 'x-request-id': 'req_refused' },
    body: JSON.stringify(errorBody(wire, words, param ?? null)),
  }
}

function errorBody(wire: Wire, { type, code, message }: Words, param: string | null = null): JsonObject {
  return wire === 'anthropic'
    ? { type: 'error', error: { type, message }, request_id: 'req_failure' }
    : { error: { message, type, param, code: code ?? null } }
}

/** An error inside a stream whose response started with 200. */
export function errorEvent(
  wire: Wire,
  type: string,
  message = 'Overloaded',
): { event?: string; data: string } {
  if (wire === 'anthropic')
    return { event: 'error', data: JSON.stringify({ type: 'error', error: { type, message } }) }
  if (wire === 'responses')
    return { event: 'error', data: JSON.stringify({ type: 'error', code: type, message, param: null }) }
  return { data: JSON.stringify({ error: { message, type, param: null, code: type } }) }
}
