/** The prices that come with the product: those of all services, as rows of Settings. */
import type { Figures, Provider } from '#lib/spec/model'
import type { PriceRow } from '#lib/wire/settings'
import { servicesOf } from './homes'

/** The day on which the prices were read from the providers' pages. */
export const pricesAsOf = '2026-10-27'

export function defaultPrices(providers: readonly Provider[]): PriceRow[] {
  return servicesOf(providers).flatMap(({ id, service }) => rowsOf(id, service?.prices ?? {}))
}

function rowsOf(provider: string, prices: Readonly<Record<string, Figures>>): PriceRow[] {
  return Object.entries(prices).flatMap(([model, [input, output, cached, cacheWrite]]) => {
    const ofCache = {
      ...(cached !== undefined && { cached }),
      ...(cacheWrite !== undefined && { cacheWrite }),
    }
    const figures = { provider, input, output, ...ofCache }
    // A plain name covers its dated snapshots as well.
    const names = model.endsWith('*') ? [model] : [model, `${model}-20*`]
    return names.map((each) => ({ model: each, ...figures }))
  })
}
