/** The only way out to model providers: connections are kept and shared, and redirects are never followed. */
import { Agent, type Dispatcher } from 'undici'
import { badPorts } from '#lib/web/bad-ports'
import { Arrival } from '../providers/arrival'

export interface OutboundFetch {
  readonly fetch: typeof globalThis.fetch
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
    close: () => agent.destroy(),
  }
}

/**
 * Uses the agent directly: fetch adds nothing that is needed here, and it took more time
 * than everything else in a step.
 */
function send(
  agent: Agent,
  url: URL,
  { method = 'GET', headers, body, signal }: RequestInit,
): Promise<Response> {
  const given = new Headers(headers)
  // Event streams are not compressed, and other responses are too small to benefit.
  if (!given.has('accept-encoding')) given.set('accept-encoding', 'identity')
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    if (badPorts.has(Number(url.port))) return reject(new TypeError('bad port'))
    const request: Dispatcher.DispatchOptions = {
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: method as Dispatcher.HttpMethod, // cast: the clients use standard method names
      headers: given,
      body: typeof body === 'string' ? body : null,
    }
    agent.dispatch(request, new Arrival({ resolve, reject, signal: signal ?? undefined }))
  })
}
