/**
 * What models cost: the prices that come with the product, or those that a person keeps in Settings instead.
 */
import { z } from 'zod'
import type { ModelSettings } from '#lib/spec/config'
import { matchesGlob } from '#lib/spec/glob'
import type { Price, Provider } from '#lib/spec/model'
import type { SettingsStore } from '#lib/spec/store'
import { type PriceRow, priceRow, type SettingsView } from '#lib/wire/settings'
import { homeOf } from './homes'
import { defaultPrices, pricesAsOf } from './prices-table'

/** Which model is called, and where. */
export interface Priced {
  /** The config's `provider`. */
  readonly provider: string
  /** The config's `endpoint`, if it names one. */
  readonly endpoint?: string
  readonly model: string
}

export function pricedOf({ provider, endpoint, name }: ModelSettings): Priced {
  return { provider, model: name, ...(typeof endpoint === 'string' && { endpoint }) }
}

/** The price of a model; undefined when none is known. */
export type PriceOf = (asked: Priced) => Price | undefined

export interface Prices {
  view(): SettingsView['prices']
  /** Null restores the prices of the product. */
  save(rows: readonly PriceRow[] | null): void
  readonly priceOf: PriceOf
}

const key = 'prices'
const stored = z.object({ rows: z.array(priceRow).nullable() })

export function createPrices(settings: SettingsStore, providers: readonly Provider[]): Prices {
  const ofProduct = defaultPrices(providers)
  const own = (): readonly PriceRow[] | null => {
    const read = stored.safeParse(settings.get(key) ?? { rows: null })
    return read.success ? read.data.rows : null
  }
  return {
    view: () => {
      const rows = own()
      return { rows: [...(rows ?? ofProduct)], edited: rows !== null, asOf: pricesAsOf }
    },
    save: (rows) => settings.set(key, { rows: rows === null ? null : [...rows] }),
    priceOf: (asked) => priceIn(own() ?? ofProduct, asked, providers),
  }
}

/**
 * Rows that name the provider or endpoint win over rows that name none, which hold for every provider; among
 * those, the longest pattern wins. A model that is played on this machine costs nothing and has no price.
 */
export function priceIn(
  rows: readonly PriceRow[],
  { provider, endpoint, model }: Priced,
  providers: readonly Provider[],
): Price | undefined {
  const fitting = rows.filter((row) => matchesGlob(row.model, model))
  const home = homeOf(providers, provider)
  const isPlayed = providers.find(({ id }) => id === provider)?.service === undefined
  const names = new Set([endpoint ?? provider, provider, home])
  const named = fitting.filter((row) => row.provider !== undefined && names.has(row.provider))
  const open = isPlayed ? [] : fitting.filter((row) => row.provider === undefined)
  const [first, ...rest] = named.length > 0 ? named : open
  if (first === undefined) return undefined
  const { input, output, cached, cacheWrite } = rest.reduce(
    (best, row) => (row.model.length > best.model.length ? row : best),
    first,
  )
  return {
    input,
    output,
    ...(cached !== undefined && { cached }),
    ...(cacheWrite !== undefined && { cacheWrite }),
  }
}
