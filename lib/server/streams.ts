/** Seats for readers of run events: so many for one run, so many in all, and all told to leave when the server stops. */

interface Seat {
  /** Aborts when the server closes its streams. */
  readonly signal: AbortSignal
  release(): void
}

export interface Streams {
  /** Undefined when there is no seat left. */
  take(runId: string): Seat | undefined
  /** Whether a reader of a run that nobody reads yet would get a seat. */
  hasRoom(): boolean
  /** Ends every stream and every one that comes later. */
  close(): void
}

export function createStreams({
  perRun = 8,
  total = 256,
}: {
  perRun?: number
  total?: number
} = {}): Streams {
  const byRun = new Map<string, number>()
  const closing = new AbortController()
  let count = 0
  return {
    take(runId) {
      const taken = byRun.get(runId) ?? 0
      if (taken >= perRun || count >= total) return undefined
      byRun.set(runId, taken + 1)
      count += 1
      let held = true
      const release = () => {
        if (!held) return
        held = false
        count -= 1
        const left = (byRun.get(runId) ?? 1) - 1
        if (left > 0) byRun.set(runId, left)
        else byRun.delete(runId)
      }
      return { signal: closing.signal, release }
    },
    hasRoom: () => count < total,
    close: () => closing.abort(),
  }
}
