/** How many tokens models accept in one request, by the data of their providers. */
import { matchesGlob } from '#lib/spec/glob'
import type { Provider } from '#lib/spec/model'
import { homeOf } from './homes'
import type { Priced } from './prices'

/** Null when unknown, as for every model at an added endpoint, where its operator sets the limit. */
export function contextWindowOf(providers: readonly Provider[], { provider, model }: Priced): number | null {
  const home = homeOf(providers, provider)
  const windows = providers.find(({ id }) => id === home)?.service?.contextWindows ?? {}
  const fitting = Object.entries(windows).filter(([pattern]) => matchesGlob(pattern, model))
  const [first, ...rest] = fitting
  if (first === undefined) return null
  return rest.reduce((best, each) => (each[0].length > best[0].length ? each : best), first)[1]
}
