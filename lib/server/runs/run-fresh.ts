/** Remembers which new runs are not yet on disk, so that no reader hears of them before they are. */
import type { RunStore } from '#lib/spec/store'

export interface FreshRuns {
  /** Call this after the run has been inserted. */
  add(id: string): void
  /** Resolves when the run is on disk; undefined when it was before. */
  onDisk(id: string): Promise<void> | undefined
}

export function createFreshRuns(runs: Pick<RunStore, 'sync'>): FreshRuns {
  const fresh = new Map<string, Promise<void>>()
  return {
    add: (id) => {
      // The loop of the run meets the same fault with its first events, and reports it.
      const synced = runs.sync().catch(() => undefined)
      fresh.set(
        id,
        synced.finally(() => fresh.delete(id)),
      )
    },
    onDisk: (id) => fresh.get(id),
  }
}
