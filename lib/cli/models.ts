/**
 * The models for the command line, with keys and addresses from the environment and the
 * product's default prices.
 */
import type { Surroundings } from '#lib/server/agents/assemble'
import type { Available } from '#lib/server/agents/readiness'
import { systemClock } from '#lib/server/clock'
import type { Outbound } from '#lib/server/environment/environment-outbound'
import { createOutbound } from '#lib/server/environment/outbound'
import { connectionOf, endpointOf, lackOf } from '#lib/server/providers/connections'
import { priceIn } from '#lib/server/providers/prices'
import { defaultPrices } from '#lib/server/providers/prices-table'
import { createRedact } from '#lib/server/secrets/redact'
import type { Parts } from '#lib/spec/config'

interface Models extends Pick<Available, 'lackOf' | 'priceOf'> {
  readonly surroundings: Surroundings
  /** Aborts requests that are still open. */
  close(): void
}

export function createModels({ providers }: Outbound, parts: Parts): Models {
  const from = { parts: parts.providers, environment: providers }
  const keys = Object.values(providers).flatMap((each) => each?.key ?? [])
  const { fetch, close } = createOutbound()
  const prices = defaultPrices(parts.providers)
  const priceOf: Available['priceOf'] = (asked) => priceIn(prices, asked, parts.providers)
  return {
    lackOf: (model) => lackOf(from, model),
    priceOf,
    surroundings: {
      parts,
      sleep: systemClock.sleep,
      endpoint: (name) => {
        const connection = connectionOf(from, name)
        return connection && endpointOf(connection)
      },
      fetch,
      priceOf,
      redact: createRedact(() => [keys]),
    },
    close: () => void close(),
  }
}
