/** The one way out to providers of models: connections are kept and shared, and no redirect carries a key elsewhere. */
import { Agent, type Dispatcher } from 'undici'
import { badPorts } from '#lib/web/bad-ports'
import { Arrival } from '../providers/arrival'

export interface OutboundFetch {
  readonly fetch: typeof globalThis.fetch
  /** Breaks what is still on the way. */
  close(): Promise<void>
}

/** How long a connection may take to come about, ms; what follows is timed by those who wait for it. */
const connectMs = 10_000

/**
 * `fetch` takes a URL with method, headers, a body of text and a signal, and gives an answer of any status as it came.
 * It rejects with the error of the connection itself, or with the signal's reason.
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
    fetch: outbound as typeof globalThis.fetch, // cast: nobody here asks with a Request
    close: () => agent.destroy(),
  }
}

/** The agent is spoken to directly: of what fetch does beyond it nothing is wanted here, and it took more than all else of a step. */
function send(
  agent: Agent,
  url: URL,
  { method = 'GET', headers, body, signal }: RequestInit,
): Promise<Response> {
  const given = new Headers(headers)
  // Streams of events are not compressed, and what little else comes is not worth it.
  if (!given.has('accept-encoding')) given.set('accept-encoding', 'identity')
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    if (badPorts.has(Number(url.port))) return reject(new TypeError('bad port'))
    const request: Dispatcher.DispatchOptions = {
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: method as Dispatcher.HttpMethod, // cast: the clients name methods that there are
      headers: given,
      body: typeof body === 'string' ? body : null,
    }
    agent.dispatch(request, new Arrival({ resolve, reject, signal: signal ?? undefined }))
  })
}
