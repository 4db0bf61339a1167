/** Official clients made once for an endpoint: each request brings the fetch it goes by, since what becomes of it is kept apart. */
import type { Endpoint } from '#lib/spec/model'
import type { Send } from './exchange'

type Reached = Pick<Endpoint, 'baseUrl' | 'key'>

/** Makes a client when the first request needs one, and another only when address or key have changed. */
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

/** The fetch of such a client: that of the request. */
export const byRequest: Send['fetch'] = (input, init) => (init as Going).by(input, init) // cast: every request goes with `going`

/** What a request through such a client says of how it goes. */
export function going({ fetch, signal, timeoutMs }: Send) {
  const fetchOptions: Going = { by: fetch }
  return { signal, timeout: timeoutMs, fetchOptions: fetchOptions as object } // cast: the clients name no options of ours
}
