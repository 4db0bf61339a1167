/**
 * What the command line knows of models: keys and addresses from the environment, from `--endpoint` and from
 * the data folder named with `--data`, and prices from that folder or of the product.
 */
import type { Surroundings } from '#lib/server/agents/assemble'
import type { Available } from '#lib/server/agents/readiness'
import { systemClock } from '#lib/server/clock'
import type { Outbound } from '#lib/server/environment/environment-outbound'
import { createOutbound } from '#lib/server/environment/outbound'
import type { KeptSettings } from '#lib/server/kept-settings'
import { noSecrets } from '#lib/server/ports/hooks'
import { type ConnectionContext, connectionOf, endpointOf, lackOf } from '#lib/server/providers/connections'
import { priceIn } from '#lib/server/providers/prices'
import { defaultPrices } from '#lib/server/providers/prices-table'
import { createRedact } from '#lib/server/secrets/redact'
import type { Parts } from '#lib/spec/config'

interface Models extends Pick<Available, 'lackOf' | 'priceOf' | 'open'> {
  readonly surroundings: Surroundings
  /** Aborts requests that are still open. */
  close(): void
}

/** @param secrets further values that are taken out of texts */
export function createModels(
  { providers, search = {} }: Outbound,
  parts: Parts,
  kept?: KeptSettings,
  secrets: readonly string[] = [],
): Models {
  const from: ConnectionContext = {
    parts: parts.providers,
    environment: providers,
    surface: 'command line',
    ...(kept !== undefined && { stored: kept.stored, vault: kept.vault }),
  }
  const services = [...Object.values(providers), ...Object.values(search)]
  const keys = [...services.flatMap((each) => each?.key ?? []), ...secrets]
  const noValues: readonly string[] = []
  const { fetch, post, close } = createOutbound()
  const prices = defaultPrices(parts.providers)
  const priceOf: Available['priceOf'] = kept?.priceOf ?? ((asked) => priceIn(prices, asked, parts.providers))
  return {
    lackOf: (model) => lackOf(from, model),
    priceOf,
    open: kept?.vault.open ?? noSecrets,
    surroundings: {
      parts,
      sleep: systemClock.sleep,
      endpoint: (name) => {
        const connection = connectionOf(from, name)
        return connection && endpointOf(connection)
      },
      fetch,
      post,
      priceOf,
      redact: createRedact(() => [keys, kept?.vault.values() ?? noValues]),
    },
    close: () => void close(),
  }
}
