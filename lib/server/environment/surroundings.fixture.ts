/** For tests: surroundings without a provider or network, so that only scripted models answer. */
import type { Surroundings } from '../agents/assemble'
import type { Available } from '../agents/readiness'
import { systemClock } from '../clock'
import { noSecrets } from '../ports/hooks'

export const offline: Surroundings = {
  sleep: systemClock.sleep,
  endpoint: () => undefined,
  fetch: async () => {
    throw new Error('There is no network here.')
  },
}

/** A server that lacks nothing except databases. */
export const wellKept: Available = {
  databases: [],
  hasMcpServer: () => true,
  hasCollection: () => true,
  lackOf: () => undefined,
  priceOf: () => undefined,
  open: noSecrets,
}
