/** Limits the readers of run events, per run and in total, and ends all of them when the server stops. */

interface Seat {
  /** Aborts when the server closes its streams. */
  readonly signal: AbortSignal
  release(): void
}

export interface Streams {
  /** Undefined when no seat is left. */
  take(runId: string): Seat | undefined
  /** Whether a reader of a run without readers would get a seat. */
  hasRoom(): boolean
  /** Ends every current and later stream. */
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
  /** One controller per seat, so that no signal collects the listeners of many readers. */
  const seats = new Set<AbortController>()
  let closed = false
  return {
    take(runId) {
      const taken = byRun.get(runId) ?? 0
      if (taken >= perRun || seats.size >= total) return undefined
      const seat = new AbortController()
      if (closed) seat.abort()
      byRun.set(runId, taken + 1)
      seats.add(seat)
      const release = () => {
        if (!seats.delete(seat)) return
        const left = (byRun.get(runId) ?? 1) - 1
        if (left > 0) byRun.set(runId, left)
        else byRun.delete(runId)
      }
      return { signal: seat.signal, release }
    },
    hasRoom: () => seats.size < total,
    close: () => {
      closed = true
      for (const seat of [...seats]) seat.abort()
    },
  }
}
