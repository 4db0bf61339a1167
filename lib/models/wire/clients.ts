/** Makes official clients that add nothing of their own: no second tries, no logs, nothing from the environment. */
import type { Endpoint } from '#lib/spec/model'
import type { Send } from './exchange'

type Options = { readonly signal: AbortSignal }

/** What both official clients can do. */
export interface OfficialClient {
  get(path: string, options: Options): { asResponse(): Promise<Response> }
  post(
    path: string,
    options: Options & { readonly body: string; readonly headers: Readonly<Record<string, string>> },
  ): { asResponse(): Promise<Response> }
}

/** Making a client costs microseconds, so each request has its own, with its own `fetch` and time limit. */
export type MakeClient = (endpoint: Address, how: Way) => Promise<OfficialClient>

type Address = Pick<Endpoint, 'baseUrl' | 'key'>
type Way = Pick<Send, 'fetch' | 'timeoutMs'>

/** The options that both clients take. */
export function clientOptions({ baseUrl, key }: Address, { fetch, timeoutMs }: Way) {
  return {
    baseURL: baseUrl,
    // Without a key the clients would look for one in the environment and in files; the header made from this
    // one is removed below.
    apiKey: key ?? 'none',
    defaultHeaders: key === undefined ? { authorization: null } : {},
    fetch,
    timeout: timeoutMs,
    maxRetries: 0,
    logLevel: 'off',
  } as const
}

/**
 * By itself, a client adds the headers in `variable` to every request, authorization included,
 * wherever the request goes.
 */
export function withoutEnvHeaders<T>(variable: string, make: () => T): T {
  const said = process.env[variable]
  delete process.env[variable]
  try {
    return make()
  } finally {
    if (said !== undefined) process.env[variable] = said
  }
}
