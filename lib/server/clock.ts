/** The machine's own clock, as the loop and the models take it. */
import { setTimeout as wait } from 'node:timers/promises'
import type { RunDeps } from '#lib/agent/deps'

export const systemClock: RunDeps['clock'] = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  async sleep(ms, signal) {
    try {
      await wait(ms, undefined, { signal })
    } catch (error) {
      if (!signal.aborted) throw error
    }
  },
}
