/**
 * Keeps one official client per endpoint. Each request passes its own `fetch`, so that its outcome
 * can be recorded separately.
 */
import type { Endpoint } from '#lib/spec/model'
import type { Send } from './exchange'

type Reached = Pick<Endpoint, 'baseUrl' | 'key'>

/** Creates a client for the first request, and a new one only if the address or key has changed. */
export function createClientOnce<C>(
  make: (endpoint: Reached) => Promise<C>,
): (endpoint: Reached) => Promise<C> {
  let kept: (Reached & { readonly client: C }) | undefined
  return async ({ baseUrl, key }) => {
    if (kept === undefined || kept.baseUrl !== baseUrl || kept.key !== key) {
      const reached = { baseUrl, ...(key !== undefined && { key }) }
      kept = { ...reached, client: await make(reached) }
    }
    return kept.client
  }
}

interface Going extends RequestInit {
  readonly by: Send['fetch']
}

/** The `fetch` of such a client: it uses the one of the request. */
export const byRequest: Send['fetch'] = (input, init) => (init as Going).by(input, init) // cast: every request is made with `going`

/** The request options that carry a request's own signal, timeout and `fetch`. */
export function going({ fetch, signal, timeoutMs }: Send) {
  const fetchOptions: Going = { by: fetch }
  return { signal, timeout: timeoutMs, fetchOptions: fetchOptions as object } // cast: the clients do not declare our option
}
