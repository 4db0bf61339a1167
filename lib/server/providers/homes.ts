/** Which providers are services of their own, and which are another API of the same service. */
import type { Provider } from '#lib/spec/model'

type Providers = readonly Provider[]

/**
 * The provider whose address, key, prices and models this one shares: itself, unless it names another one.
 */
export function homeOf(providers: Providers, provider: string): string {
  return providers.find(({ id }) => id === provider)?.service?.endpoint ?? provider
}

/** The providers that share one address and one key; the owner of the address comes first. */
export function sharing(providers: Providers, home: string): string[] {
  const others = providers.filter(({ id, service }) => service?.endpoint === home && id !== home)
  return [home, ...others.map(({ id }) => id)]
}

/** The built-in services, each with its own address and key, in the order of Settings. */
export function servicesOf(providers: Providers): Provider[] {
  return providers
    .filter(({ service }) => typeof service?.baseUrl === 'string' && service.endpoint === undefined)
    .toSorted((a, b) => rankOf(a) - rankOf(b))
}

function rankOf({ service }: Provider): number {
  return service?.rank ?? Number.MAX_SAFE_INTEGER
}

/** The provider that serves the endpoints that a person adds under their own names. */
export function endpointProvider(providers: Providers): Provider | undefined {
  return providers.find(({ service }) => service?.baseUrl === null)
}

/** The values that `kind` of a provider's view may have. */
export function kindsOf(providers: Providers): string[] {
  const added = endpointProvider(providers)
  return [...servicesOf(providers), ...(added === undefined ? [] : [added])].map(({ id }) => id)
}
