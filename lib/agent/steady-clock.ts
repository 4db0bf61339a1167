/** A clock whose wall time never jumps: it is set once and then moved only by the monotonic clock. */
import type { Clock } from './deps'

/**
 * Events are dated by it, so durations counted from these dates (budgets, waits, run times) do not change
 * when somebody sets the machine's clock. It begins at the machine's time, but never before the last event.
 * On some systems the monotonic clock stops while the machine sleeps, and so does this one: that time does
 * not count as the run's.
 * @param from milliseconds since 1970 of the last event
 */
export function steadyClock(clock: Clock, from: number): Clock {
  const begun = Math.max(from, clock.now())
  const at = clock.monotonic()
  return {
    now: () => begun + (clock.monotonic() - at),
    monotonic: () => clock.monotonic(),
    sleep: (ms, signal) => clock.sleep(ms, signal),
    ...(clock.after && { after: clock.after }),
  }
}
