/**
 * The days on which this server has run: they show that time has passed, however the system clock is changed.
 */
import { z } from 'zod'
import type { SettingsStore } from '#lib/spec/store'

const key = 'days'
const dayMs = 24 * 60 * 60 * 1_000
const hourMs = 60 * 60 * 1_000
/** A gap between two recorded days counts as at most this many days, since the clock may have been changed. */
const longestGap = 7
/** Enough days for the longest period that any caller asks for. */
const mostKept = 100

const stored = z.array(z.int().nonnegative())

export interface SeenDays {
  /** Records that the server runs today. */
  note(): void
  /** A time that is surely at least `days` days ago; undefined while the records cannot show one. */
  before(days: number): number | undefined
  /** Records each new day until the signal aborts. */
  watch(signal: AbortSignal): void
}

export function createSeenDays(
  settings: Pick<SettingsStore, 'get' | 'set'>,
  clock: { now(): number },
): SeenDays {
  const known = () => stored.safeParse(settings.get(key) ?? []).data ?? []
  const today = () => Math.floor(clock.now() / dayMs)
  function note(): void {
    const day = today()
    const all = known()
    if (all.at(-1) === day) return
    // Future days were recorded while the clock was set too far ahead.
    settings.set(key, [...all.filter((each) => each < day), day].slice(-mostKept))
  }
  return {
    note,
    before(days) {
      let later = today()
      let passed = 0
      for (const day of known().toReversed()) {
        if (day > later) continue
        passed += Math.min(later - day, longestGap)
        // The period counts from the end of that day.
        if (passed > days) return Math.min((day + 1) * dayMs, clock.now() - days * dayMs)
        later = day
      }
      return undefined
    },
    watch(signal) {
      const timer = setInterval(() => {
        try {
          note()
        } catch {
          // The disk cannot be written now; the next hour is soon enough.
        }
      }, hourMs)
      timer.unref()
      signal.addEventListener('abort', () => clearInterval(timer), { once: true })
    },
  }
}
