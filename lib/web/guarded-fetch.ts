/**
 * The only web client for tools: it checks every address when it connects, checks each redirect again,
 * and limits sizes and times.
 */
import dns from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Agent, errors, fetch, type RequestInit, type Response } from 'undici'
import type { WebAnswer, WebRequest } from '#lib/spec/sandbox'
import { isPublicAddress } from './public-address'
import { privateHost, targetOf } from './web-target'

export const maxRedirects = 5
const defaultMaxBytes = 2 * 1024 * 1024
const defaultTimeoutMs = 30_000
export const connectMs = 10_000
const firstByteMs = 10_000
/** The only headers that are sent on to another origin after a redirect. */
const harmlessHeaders = new Set(['accept', 'accept-language', 'user-agent'])

export interface GuardContext {
  /** `host:port` pairs that tools may reach although they are private. */
  readonly allow?: readonly string[]
  /** Resolves names; the default is the system's resolver. */
  readonly lookup?: typeof dns.lookup
  /** The longest wait for the first byte, in milliseconds; shorter in tests. */
  readonly firstByteMs?: number
}

export interface GuardedFetch {
  /** Never throws; a response with any status counts as an answer. */
  fetch(request: WebRequest, signal: AbortSignal): Promise<WebAnswer>
  close(): Promise<void>
}

type Failure = Extract<WebAnswer, { ok: false }>

/** Ends a request that is not allowed. It is an exception because the check runs inside the connection. */
export class Blocked extends Error {}

export function createGuardedFetch({
  allow = [],
  lookup = dns.lookup,
  firstByteMs: firstMs = firstByteMs,
}: GuardContext = {}): GuardedFetch {
  const allowed = new Set(allow.map((each) => each.toLowerCase()))
  const times = { headersTimeout: firstMs, bodyTimeout: defaultTimeoutMs }
  const guarded = new Agent({ ...times, connect: { timeout: connectMs, lookup: publicOnly(lookup) } })
  const open = new Agent({ ...times, connect: { timeout: connectMs } })
  return {
    fetch: async (request, signal) => {
      const timeoutMs = request.timeoutMs ?? defaultTimeoutMs
      const late = AbortSignal.timeout(timeoutMs)
      try {
        return await follow({ request, allowed, guarded, open, signal: AbortSignal.any([signal, late]) })
      } catch (error) {
        return failureOf(error, { signal, late, timeoutMs })
      }
    },
    close: async () => {
      await Promise.all([guarded.destroy(), open.destroy()])
    },
  }
}

/**
 * Refuses a name if any of its addresses is not public, and connects only to the checked addresses: nothing
 * is resolved a second time. Not called for an address that is written in the URL itself.
 */
export function publicOnly(lookup: typeof dns.lookup): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '')
      if (addresses.length === 0 || !addresses.every(({ address }) => isPublicAddress(address)))
        return callback(new Blocked(privateHost(hostname)), '')
      if (options.all) return callback(null, addresses)
      const [first] = addresses
      callback(null, first?.address ?? '', first?.family)
    })
  }
}

interface Hop {
  readonly request: WebRequest
  readonly allowed: ReadonlySet<string>
  readonly guarded: Agent
  readonly open: Agent
  readonly signal: AbortSignal
}

async function follow({ request, allowed, guarded, open, signal }: Hop): Promise<WebAnswer> {
  let asked: HopRequest = {
    url: request.url,
    method: request.method ?? 'GET',
    headers: request.headers ?? {},
    body: request.body,
  }
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const target = targetOf(asked.url, allowed)
    if (!target.ok) return { ...target, retryable: false }
    const init: RequestInit = {
      method: asked.method,
      headers: { ...asked.headers },
      redirect: 'manual',
      signal,
      dispatcher: target.open ? open : guarded,
      ...(asked.body !== undefined && { body: asked.body }),
    }
    const response = await fetch(target.url, init)
    const location = isRedirect(response.status) ? response.headers.get('location') : null
    if (location === null) return await read(response, target.url, request.maxBytes ?? defaultMaxBytes)
    await response.body?.cancel()
    const next = URL.canParse(location, target.url) ? new URL(location, target.url) : undefined
    if (next === undefined)
      return failFetch('bad_url', 'The page redirects to something that is not a valid URL.')
    const carriesBody = response.status >= 307 && asked.body !== undefined
    if ((carriesBody || request.staysAtOrigin === true) && next.origin !== target.url.origin)
      return failFetch(
        'redirects',
        `The request was redirected to ${next.host}, but it is not meant for that host.`,
      )
    asked = followRedirect(asked, { from: target.url, to: next, status: response.status })
  }
  return failFetch('redirects', `The page redirects more than ${maxRedirects} times.`)
}

export interface HopRequest {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status)
}

/** The request that a redirect asks for, without anything that was meant for another origin. */
export function followRedirect(
  asked: HopRequest,
  { from, to, status }: { from: URL; to: URL; status: number },
): HopRequest {
  const keepsBody = status === 307 || status === 308 || asked.method === 'GET' || asked.method === 'HEAD'
  const isSame = from.origin === to.origin
  const headers = Object.fromEntries(
    Object.entries(asked.headers).filter(([name]) => {
      const known = name.toLowerCase()
      if (!keepsBody && known.startsWith('content-')) return false
      return isSame || harmlessHeaders.has(known)
    }),
  )
  return {
    url: to.href,
    method: keepsBody ? asked.method : 'GET',
    headers,
    body: keepsBody ? asked.body : undefined,
  }
}

async function read(response: Response, url: URL, maxBytes: number): Promise<WebAnswer> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.byteLength
    if (bytes > maxBytes) {
      return failFetch('too_large', `The answer of ${url.host} is larger than ${maxBytes} bytes.`)
    }
    parts.push(part)
  }
  const headers = Object.fromEntries(response.headers)
  return {
    ok: true,
    value: { url: url.href, status: response.status, headers, body: Buffer.concat(parts) },
  }
}

function failFetch(code: Failure['code'], message: string, retryable = false): Failure {
  return { ok: false, code, message, retryable }
}

interface Ending {
  readonly signal: AbortSignal
  readonly late: AbortSignal
  readonly timeoutMs: number
}

function failureOf(error: unknown, { signal, late, timeoutMs }: Ending): Failure {
  if (signal.aborted) return failFetch('aborted', 'The request was stopped.')
  if (late.aborted)
    return failFetch('timeout', `There was no complete answer within ${timeoutMs / 1_000} s.`, true)
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof Blocked) return failFetch('blocked', cause.message)
    if (cause instanceof errors.HeadersTimeoutError || cause instanceof errors.ConnectTimeoutError)
      return failFetch('timeout', 'The server did not answer in time.', true)
    if ('code' in cause && cause.code === 'ENOTFOUND')
      return failFetch('connection', 'There is no server with this name.')
  }
  return failFetch('connection', `The server could not be reached: ${causeOf(error)}.`, true)
}

/** The innermost cause, which says more than "fetch failed". */
function causeOf(error: unknown): string {
  let found = error
  while (found instanceof Error && found.cause instanceof Error) found = found.cause
  if (found instanceof AggregateError && found.errors[0] instanceof Error) return found.errors[0].message
  return found instanceof Error ? found.message.slice(0, 200) : 'unknown'
}
