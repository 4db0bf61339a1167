/** Which thread a question that is on its way turns out to be in: what is given after it goes there too. */
import type { StoreApi } from 'zustand/vanilla'
import type { LiveRun } from './run-store'
import { isUnderWay } from './under-way'

/** Resolves once the run followed tells its thread; with null where none is followed, or it does not begin. */
export function threadAsked(store: StoreApi<LiveRun>): Promise<string | null> {
  return new Promise((resolve) => {
    const look = (run: LiveRun) => {
      if (run.threadId === null && isUnderWay(run)) return
      stop()
      resolve(run.threadId)
    }
    const stop = store.subscribe(look)
    look(store.getState())
  })
}
