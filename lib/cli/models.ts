/** Models as the command line reaches them: with the keys and addresses of the environment, at the prices of the product. */
import type { Surroundings } from '#lib/server/agents/assemble'
import { parts } from '#lib/server/agents/catalog'
import type { Available } from '#lib/server/agents/readiness'
import { systemClock } from '#lib/server/clock'
import type { Outbound } from '#lib/server/environment/environment-outbound'
import { createOutbound } from '#lib/server/environment/outbound'
import { connectionOf, endpointOf, lackOf } from '#lib/server/providers/connections'
import { priceIn } from '#lib/server/providers/prices'
import { defaultPrices } from '#lib/server/providers/prices-table'
import { createRedact } from '#lib/server/secrets/redact'

interface Models extends Pick<Available, 'lackOf' | 'priceOf'> {
  readonly surroundings: Surroundings
  /** Breaks what is still on the way. */
  close(): void
}

export function createModels({ providers }: Outbound): Models {
  const from = { parts: parts.providers, environment: providers }
  const keys = Object.values(providers).flatMap((each) => each?.key ?? [])
  const { fetch, close } = createOutbound()
  const priceOf: Available['priceOf'] = (asked) => priceIn(defaultPrices, asked)
  return {
    lackOf: (model) => lackOf(from, model),
    priceOf,
    surroundings: {
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
