/** Which providers are services of their own, and which are another way to the same one. */
import type { Provider } from '#lib/spec/model'

type Providers = readonly Provider[]

/** The provider whose address, key, prices and models this one shares: itself, unless it names another. */
export function homeOf(providers: Providers, provider: string): string {
  return providers.find(({ id }) => id === provider)?.service?.endpoint ?? provider
}

/** The providers that are asked at one address with one key, the one that it belongs to first. */
export function sharing(providers: Providers, home: string): string[] {
  const others = providers.filter(({ id, service }) => service?.endpoint === home && id !== home)
  return [home, ...others.map(({ id }) => id)]
}

/** Those that are always there, each with an address and a key of its own, in the order of Settings. */
export function servicesOf(providers: Providers): Provider[] {
  return providers
    .filter(({ service }) => typeof service?.baseUrl === 'string' && service.endpoint === undefined)
    .toSorted((a, b) => rankOf(a) - rankOf(b))
}

function rankOf({ service }: Provider): number {
  return service?.rank ?? Number.MAX_SAFE_INTEGER
}

/** The provider by which endpoints are asked that a person adds under a name of their own. */
export function endpointProvider(providers: Providers): Provider | undefined {
  return providers.find(({ service }) => service?.baseUrl === null)
}

/** What `kind` of a provider's view may be. */
export function kindsOf(providers: Providers): string[] {
  const added = endpointProvider(providers)
  return [...servicesOf(providers), ...(added === undefined ? [] : [added])].map(({ id }) => id)
}
