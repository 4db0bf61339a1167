/** How many tokens models take in one request, as their providers tell it. */
import { matchesGlob } from '#lib/spec/glob'
import type { Provider } from '#lib/spec/model'
import { homeOf } from './homes'
import type { Priced } from './prices'

/** Null where it is not known, as for every model at an added endpoint: whoever runs it there decides. */
export function contextWindowOf(providers: readonly Provider[], { provider, model }: Priced): number | null {
  const home = homeOf(providers, provider)
  const windows = providers.find(({ id }) => id === home)?.service?.contextWindows ?? {}
  const fitting = Object.entries(windows).filter(([pattern]) => matchesGlob(pattern, model))
  const [first, ...rest] = fitting
  if (first === undefined) return null
  return rest.reduce((best, each) => (each[0].length > best[0].length ? each : best), first)[1]
}
