/** The machine's own clock, as the loop and the models take it. */
import type { RunDeps } from '#lib/agent/deps'

export const systemClock: RunDeps['clock'] = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  // Nobody needs the error that the timers of promises make of every abort: most sleeps of a run end by one.
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
}
