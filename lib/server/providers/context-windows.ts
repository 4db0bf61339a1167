/** How many tokens models accept in one request, by the data of their providers. */
import { longestMatch } from '#lib/spec/glob'
import type { Provider } from '#lib/spec/model'
import { homeOf } from './homes'
import type { Priced } from './prices'

/** Null when unknown, as for every model at an added endpoint, where its operator sets the limit. */
export function contextWindowOf(providers: readonly Provider[], { provider, model }: Priced): number | null {
  const home = homeOf(providers, provider)
  const windows = providers.find(({ id }) => id === home)?.service?.contextWindows ?? {}
  return longestMatch(windows, model) ?? null
}
