/** The only way out to model providers: connections are kept and shared, and redirects are never followed. */
import { Agent, type Dispatcher } from 'undici'
import type { Incoming, Posted } from '#lib/spec/model'
import { badPorts } from '#lib/web/bad-ports'
import { Arrival, type Arrived, responseOf } from '../providers/arrival'

export interface OutboundFetch {
  readonly fetch: typeof globalThis.fetch
  /** Like `fetch`, for requests whose answers are read as they come. */
  post(request: Posted): Promise<Incoming>
  /** Ends every open request. */
  close(): Promise<void>
}

/** The time limit for a connection, ms; callers have their own limits for everything after it. */
const connectMs = 10_000

/**
 * `fetch` takes a URL with method, headers, a text body and a signal. It resolves with a response of any
 * status, unchanged, and rejects with the error of the connection, or with the signal's reason.
 */
export function createOutbound(): OutboundFetch {
  const agent = new Agent({
    connect: { timeout: connectMs },
    keepAliveTimeout: 30_000,
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const outbound = (input: string | URL, init: RequestInit = {}) => send(agent, new URL(input), init)
  return {
    fetch: outbound as typeof globalThis.fetch, // cast: no caller passes a Request
    post: ({ url, headers, body, signal }) =>
      dispatch(agent, new URL(url), { method: 'POST', headers: { ...ownHeaders, ...headers }, body, signal }),
    close: () => agent.destroy(),
  }
}

/** What the official clients send of themselves; services may refuse a request that does not say from whom it is. */
const ownHeaders = { accept: 'application/json', 'user-agent': 'Loopwright', 'accept-encoding': 'identity' }

async function send(
  agent: Agent,
  url: URL,
  { method = 'GET', headers, body, signal }: RequestInit,
): Promise<Response> {
  const given = new Headers(headers)
  // Event streams are not compressed, and other responses are too small to benefit.
  if (!given.has('accept-encoding')) given.set('accept-encoding', 'identity')
  const arrived = await dispatch(agent, url, {
    method: method as Dispatcher.HttpMethod, // cast: the clients use standard method names
    headers: given,
    body: typeof body === 'string' ? body : null,
    signal,
  })
  return responseOf(arrived)
}

type Dispatched = Pick<Dispatcher.DispatchOptions, 'method' | 'headers' | 'body'> & {
  readonly signal?: AbortSignal | null | undefined
}

/**
 * Uses the agent directly: fetch adds nothing that is needed here, and it took more time
 * than everything else in a step.
 */
function dispatch(
  agent: Agent,
  { origin, pathname, search, port }: URL,
  { signal, ...request }: Dispatched,
): Promise<Arrived> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    if (badPorts.has(Number(port))) return reject(new TypeError('bad port'))
    agent.dispatch(
      { ...request, origin, path: `${pathname}${search}` },
      new Arrival({ resolve, reject, signal: signal ?? undefined }),
    )
  })
}
