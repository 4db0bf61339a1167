/** A clock whose wall time never jumps: set once, and from there on moved by the monotonic clock alone. */
import type { Clock } from './deps'

/**
 * Events are dated by it, so that what is counted from their dates (budgets, waits, durations) is not changed when
 * somebody sets the machine's clock. It begins at the machine's time, but never before what has happened already.
 * While the machine sleeps, the monotonic clock of some systems stands still, and this one with it: such time is not
 * counted as the run's.
 * @param from milliseconds since 1970 of the last thing that has happened
 */
export function steadyClock(clock: Clock, from: number): Clock {
  const begun = Math.max(from, clock.now())
  const at = clock.monotonic()
  return {
    now: () => begun + (clock.monotonic() - at),
    monotonic: () => clock.monotonic(),
    sleep: (ms, signal) => clock.sleep(ms, signal),
  }
}
