/** Passes stored events to the watchers of a run. It keeps nothing, since the disk has everything. */
import type { EventText } from '#lib/spec/store'

/** Called with events in order, and once with null when the server closes its streams. */
type Listener = (frames: readonly EventText[] | null) => void

export interface Hub {
  publish(runId: string, frames: readonly EventText[]): void
  /** Receives every event published from now on. Returns a function that ends the subscription. */
  subscribe(runId: string, listener: Listener): () => void
  /** Ends every current and later subscription. */
  close(): void
}

export function createHub(): Hub {
  const byRun = new Map<string, Set<Listener>>()
  let closed = false

  const publish: Hub['publish'] = (runId, frames) => {
    for (const listener of byRun.get(runId) ?? []) listener(frames)
  }

  const subscribe: Hub['subscribe'] = (runId, listener) => {
    if (closed) listener(null)
    const listeners = byRun.get(runId) ?? new Set()
    byRun.set(runId, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && byRun.get(runId) === listeners) byRun.delete(runId)
    }
  }

  const close = () => {
    closed = true
    for (const listeners of byRun.values()) for (const listener of listeners) listener(null)
  }

  return { publish, subscribe, close }
}
