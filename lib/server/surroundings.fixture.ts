/** For tests: surroundings with no provider and no network, so that only scripted models answer. */
import type { Surroundings } from './assemble'
import { systemClock } from './clock'
import type { Available } from './readiness'

export const offline: Surroundings = {
  sleep: systemClock.sleep,
  endpoint: () => undefined,
  fetch: async () => {
    throw new Error('There is no network here.')
  },
}

/** A server that lacks nothing but databases. */
export const wellKept: Available = { databases: [], lackOf: () => undefined, priceOf: () => undefined }
