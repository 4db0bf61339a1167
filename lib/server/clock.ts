/** The system clock, in the shape that the loop and the models use. */
import type { RunDeps } from '#lib/agent/deps'

export const systemClock: RunDeps['clock'] = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  // On abort it resolves; `timers/promises` would reject, and most sleeps of a run end by an abort.
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve()
      const wake = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      const timer = setTimeout(wake, ms)
      signal.addEventListener('abort', wake)
    }),
  after: (ms, act) => {
    const timer = setTimeout(act, ms)
    return () => clearTimeout(timer)
  },
}
