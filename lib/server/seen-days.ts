/** The days on which this server has run: by them it is known that time has passed, whatever the machine's clock is set to. */
import { z } from 'zod'
import type { SettingsStore } from '#lib/spec/store'

const key = 'days'
const dayMs = 24 * 60 * 60 * 1_000
const hourMs = 60 * 60 * 1_000
/** Days between two that were seen count no more than this many, since the clock may have been set meanwhile. */
const longestGap = 7
/** As many as are needed to see the longest time back that anybody asks for. */
const mostKept = 100

const stored = z.array(z.int().nonnegative())

export interface SeenDays {
  /** Writes down that the server runs today. */
  note(): void
  /** The moment before which so many days have surely passed; undefined while that is not known of any. */
  before(days: number): number | undefined
  /** Notes each new day until the signal aborts. */
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
    // Days that have not come were seen by a clock that was set too far ahead.
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
        // Counted from the end of that day.
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
          // The disk takes nothing now: the next hour is soon enough.
        }
      }, hourMs)
      timer.unref()
      signal.addEventListener('abort', () => clearInterval(timer), { once: true })
    },
  }
}
