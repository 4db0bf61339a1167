/**
 * A circuit breaker for each model of a provider: after several failures in a row it pauses requests, then
 * lets one probe through.
 */
import type { Breaker } from '#lib/spec/model'

export interface BreakerContext {
  /** Milliseconds from any start. */
  readonly clock: { monotonic(): number }
  /** Failures in a row that open it. */
  readonly failures?: number
  readonly restMs?: number
}

export interface Breakers {
  /** Returns the same breaker for the same names. */
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
  /** When the pause ends; undefined while the breaker is closed. */
  let restUntil: number | undefined
  /** When the probe was let through. */
  let triedAt: number | undefined
  return {
    waitMs() {
      if (restUntil === undefined) return 0
      const now = clock.monotonic()
      if (now < restUntil) return restUntil - now
      // A probe that never reports back must not keep the breaker open forever.
      if (triedAt !== undefined && now - triedAt < 10 * restMs) return restMs / 3
      triedAt = now
      return 0
    },
    answering() {
      if (triedAt === undefined) return
      // The others need not wait for the end of a long answer; if it breaks off, the pause begins again.
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
      // Failures of requests from before it opened carry no news.
      if (!isTrial && (restUntil !== undefined || failed < limit)) return
      restUntil = clock.monotonic() + restMs
      triedAt = undefined
    },
    released() {
      triedAt = undefined
    },
  }
}
