/** Spares a provider that fails: after failures in a row one model of it is asked by nobody for a while, then by one to try. */
import type { Breaker } from '#lib/spec/model'

export interface BreakerContext {
  /** Milliseconds from any start. */
  readonly clock: { monotonic(): number }
  /** Failures in a row that open it. */
  readonly failures?: number
  readonly restMs?: number
}

export interface Breakers {
  /** The same for the same names. */
  of(provider: string, model: string): Breaker
}

export function createBreakers({ clock, failures = 5, restMs = 30_000 }: BreakerContext): Breakers {
  const known = new Map<string, Breaker>()
  return {
    of(provider, model) {
      const key = JSON.stringify([provider, model])
      let breaker = known.get(key)
      if (breaker === undefined) {
        breaker = createBreaker(clock, failures, restMs)
        known.set(key, breaker)
      }
      return breaker
    },
  }
}

function createBreaker(clock: BreakerContext['clock'], limit: number, restMs: number): Breaker {
  let failed = 0
  /** While it is open: when the rest is over. */
  let restUntil: number | undefined
  /** When the one that tries was let through. */
  let triedAt: number | undefined
  return {
    waitMs() {
      if (restUntil === undefined) return 0
      const now = clock.monotonic()
      if (now < restUntil) return restUntil - now
      // A turn that nobody gave back must not close the door for ever.
      if (triedAt !== undefined && now - triedAt < 10 * restMs) return restMs / 3
      triedAt = now
      return 0
    },
    answering() {
      if (triedAt === undefined) return
      // A long answer is not waited for by all the others; should it break, they rest again.
      restUntil = undefined
      triedAt = undefined
      failed = limit - 1
    },
    succeeded() {
      failed = 0
      restUntil = undefined
      triedAt = undefined
    },
    failed() {
      failed += 1
      const isTrial = triedAt !== undefined
      // Those that were asked before it opened tell nothing new.
      if (!isTrial && (restUntil !== undefined || failed < limit)) return
      restUntil = clock.monotonic() + restMs
      triedAt = undefined
    },
    released() {
      triedAt = undefined
    },
  }
}
