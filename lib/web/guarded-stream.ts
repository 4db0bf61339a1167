/**
 * The guarded client for answers that are read as they come: the same checks of addresses and redirects as for tools,
 * without limits on time and size, which its callers set.
 */
import dns from 'node:dns'
import { Agent, fetch, type RequestInit } from 'undici'
import {
  connectMs,
  followRedirect,
  type HopRequest,
  isRedirect,
  maxRedirects,
  publicOnly,
} from './guarded-fetch'
import { targetOf } from './web-target'

export interface GuardedStream {
  /**
   * A `fetch` for an address that the operator has entered, which may therefore be private. It rejects for other
   * private addresses, also after a redirect, and sends no header that was meant for one origin to another.
   */
  fetchFor(entered: string): typeof globalThis.fetch
  close(): Promise<void>
}

interface StreamContext {
  /** `host:port` pairs that may be reached although they are private. */
  readonly allow?: readonly string[]
  readonly lookup?: typeof dns.lookup
}

export function createGuardedStream({ allow = [], lookup = dns.lookup }: StreamContext = {}): GuardedStream {
  const limits = { headersTimeout: 0, bodyTimeout: 0 }
  const agents = {
    guarded: new Agent({ ...limits, connect: { timeout: connectMs, lookup: publicOnly(lookup) } }),
    open: new Agent({ ...limits, connect: { timeout: connectMs } }),
  }
  return {
    fetchFor: (entered) => {
      const allowed = new Set([...allow.map((each) => each.toLowerCase()), hostOf(entered)])
      const guarded = (input: string | URL, init: globalThis.RequestInit = {}) =>
        follow(String(input), init, { allowed, ...agents })
      return guarded as typeof globalThis.fetch // cast: no caller passes a Request
    },
    close: async () => {
      await Promise.all([agents.guarded.destroy(), agents.open.destroy()])
    },
  }
}

/** `host:port`, as `targetOf` compares it. */
function hostOf(address: string): string {
  const { hostname, port, protocol } = new URL(address)
  const host = hostname.replace(/^\[|\]$|\.$/g, '')
  return `${host}:${port || (protocol === 'https:' ? 443 : 80)}`
}

interface Way {
  readonly allowed: ReadonlySet<string>
  readonly guarded: Agent
  readonly open: Agent
}

async function follow(url: string, init: globalThis.RequestInit, way: Way): Promise<Response> {
  let asked: HopRequest = {
    url,
    method: init.method ?? 'GET',
    headers: Object.fromEntries(new Headers(init.headers)),
    body: bodyOf(init.body),
  }
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const target = targetOf(asked.url, way.allowed)
    if (!target.ok) throw new TypeError(target.message)
    const { method, headers, body } = asked
    const request: RequestInit = {
      ...{ method, headers: { ...headers }, redirect: 'manual' },
      dispatcher: target.open ? way.open : way.guarded,
      ...(body !== undefined && { body }),
      ...(init.signal && { signal: init.signal }),
    }
    const response = await fetch(target.url, request)
    const location = isRedirect(response.status) ? response.headers.get('location') : null
    if (location === null) return response as unknown as Response // cast: undici's own type of the same class
    await response.body?.cancel()
    if (!URL.canParse(location, target.url)) throw new TypeError('The server redirects to no valid URL.')
    const to = new URL(location, target.url)
    if (body !== undefined && to.origin !== target.url.origin)
      throw new TypeError(`The server redirects to ${to.host}, which the request is not meant for.`)
    asked = followRedirect(asked, { from: target.url, to, status: response.status })
  }
  throw new TypeError(`The server redirects more than ${maxRedirects} times.`)
}

function bodyOf(body: unknown): string | undefined {
  if (body === undefined || body === null) return undefined
  if (typeof body === 'string') return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new TypeError('Only text can be sent.')
}
