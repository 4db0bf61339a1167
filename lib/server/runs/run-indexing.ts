/** Indexes the runs of older versions after the start, in short turns between other work. */
import { setTimeout as sleep } from 'node:timers/promises'
import { storeFault } from '#db/fault'
import type { FigureStore } from '#lib/spec/figures'

export interface Progress {
  readonly done: number
  readonly total: number
}

export interface RunIndexing {
  /** How far it is; undefined when every run is indexed. */
  progress(): Progress | undefined
  /** Resolves when all runs are indexed, or the signal aborts. */
  begin(): Promise<void>
}

/** Milliseconds of one turn, and of the pause after it. */
const turnMs = 15
const pauseMs = 15
/** The pause after a turn that could not be stored. */
const faultMs = 5_000

export function createIndexing({
  figures,
  signal,
}: {
  figures: FigureStore
  signal: AbortSignal
}): RunIndexing {
  let state: Progress | undefined
  const pause = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined)

  /** How many runs one turn indexed; undefined if nothing can be stored just now. */
  function turn(): number | undefined {
    try {
      return figures.indexSome(turnMs)
    } catch (error) {
      if (storeFault(error) === undefined) throw error
      return undefined
    }
  }

  return {
    progress: () => state,
    async begin() {
      const total = figures.unindexed()
      for (let done = 0; done < total && !signal.aborted; ) {
        state = { done, total }
        const indexed = turn()
        if (indexed === 0) break
        done += indexed ?? 0
        await pause(indexed === undefined ? faultMs : pauseMs)
      }
      state = undefined
    },
  }
}
