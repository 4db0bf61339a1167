/** For tests: surroundings with no provider and no network, so that only scripted models answer. */
import type { Surroundings } from '../agents/assemble'
import type { Available } from '../agents/readiness'
import { systemClock } from '../clock'

export const offline: Surroundings = {
  sleep: systemClock.sleep,
  endpoint: () => undefined,
  fetch: async () => {
    throw new Error('There is no network here.')
  },
}

/** A server that lacks nothing but databases. */
export const wellKept: Available = { databases: [], lackOf: () => undefined, priceOf: () => undefined }
