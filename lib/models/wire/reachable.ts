/** Checks that a provider has an address and a key, and gives its name for messages. */
import type { Endpoint } from '#lib/spec/model'
import type { Site } from './faults'

type Reached =
  | { readonly ok: true; readonly endpoint: Endpoint; readonly site: Site }
  | { readonly ok: false; readonly message: string }

/** Who is asked. */
export interface Asked {
  /** The name of the endpoint. */
  readonly endpoint: string
  readonly label: string
  /** The address of the provider's own service, which answers nobody without a key. */
  readonly home?: string
  /** The end of an address that the paths of the API repeat, although people often include it. */
  readonly repeated?: RegExp
}

export function reach(
  { endpoint: name, label, home, repeated }: Asked,
  endpoint: Endpoint | undefined,
): Reached {
  if (endpoint === undefined || endpoint.baseUrl === '')
    return { ok: false, message: `No address is set for "${name}". Enter it under Settings.` }
  if (!URL.canParse(endpoint.baseUrl))
    return { ok: false, message: `The address of ${label} is not a valid URL. Correct it under Settings.` }
  const { key, ...rest } = endpoint
  const isHome = home !== undefined && hostOf(home) === hostOf(endpoint.baseUrl)
  if ((key === undefined || key === '') && (isHome || endpoint.lacksKey))
    return { ok: false, message: `There is no key for ${label} at its own address. Set one under Settings.` }
  const baseUrl = repeated === undefined ? endpoint.baseUrl : endpoint.baseUrl.replace(repeated, '')
  // An empty key counts as none.
  const own = key === '' ? undefined : key
  const site = { label, host: hostOf(baseUrl), key: own }
  return { ok: true, endpoint: { ...rest, baseUrl, ...(own && { key: own }) }, site }
}

/** The same, worked out again only when the endpoint is another object than the last time. */
export function reacher(asked: Asked, endpoint: () => Endpoint | undefined): () => Reached {
  let known: { readonly of: Endpoint | undefined; readonly reached: Reached } | undefined
  return () => {
    const now = endpoint()
    if (known === undefined || known.of !== now) known = { of: now, reached: reach(asked, now) }
    return known.reached
  }
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}
