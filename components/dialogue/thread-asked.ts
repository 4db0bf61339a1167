/** Which thread a question that is on its way turns out to be in: what is given after it goes there too. */
import type { StoreApi } from 'zustand/vanilla'
import type { LiveRun } from '#components/run/run-store'

/** Resolves once the run followed tells its thread; with null where none is followed, or it does not begin. */
export function threadAsked(store: StoreApi<LiveRun>): Promise<string | null> {
  return new Promise((resolve) => {
    const look = ({ threadId, connection }: LiveRun) => {
      // A short run may be at its end before a frame tells its events.
      if (threadId === null && connection !== 'idle' && connection !== 'failed') return
      stop()
      resolve(threadId)
    }
    const stop = store.subscribe(look)
    look(store.getState())
  })
}
