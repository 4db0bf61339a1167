/**
 * Keeps stored events in memory: one copy per event for all readers of a run, within one limit for all runs.
 */
import type { EventText, RunStore } from '#lib/spec/store'

export interface RecentEvents {
  /** Adds events that have just been stored; they are kept only while the run has a reader. */
  add(runId: string, events: readonly EventText[]): void
  /** Adds a reader of the run. */
  open(runId: string): EventReader
}

export interface EventReader {
  /** The next events after `seq`, from memory or from the disk; empty only when no later event is stored. */
  after(seq: number): EventText[]
  /** Removes the reader; without readers, the events of the run are dropped. */
  close(): void
}

interface Limits {
  /** Characters of JSON kept in memory for all runs together. */
  readonly kept?: number
  /** Characters of JSON in one page; the event that exceeds the limit is the last one of the page. */
  readonly page?: number
  /** Events in one page: few enough that no reader delays the clean-up of the database's write-ahead log. */
  readonly count?: number
}

interface ReadRun {
  readers: number
  /** By seq. A weak reference stands for an event beyond the memory limit: it is shared while a reader sends it. */
  readonly events: Map<number, EventText | WeakRef<EventText>>
  /** The size of `events` at which entries of collected events are removed. */
  sweepAt: number
}

const sweepSize = 1_000

export function createRecentEvents(
  runs: Pick<RunStore, 'eventTexts'>,
  { kept = 8 * 1024 * 1024, page = 128 * 1024, count = 200 }: Limits = {},
): RecentEvents {
  const byRun = new Map<string, ReadRun>()
  /** The events that are kept even when no reader holds them, oldest first, each with its run. */
  const order = new Map<EventText, ReadRun>()
  let size = 0

  function forget(event: EventText): void {
    if (order.delete(event)) size -= event.json.length
  }

  /** Returns the one copy of the event that all readers share. */
  function keep(run: ReadRun, event: EventText): EventText {
    const known = held(run.events.get(event.seq))
    if (known !== undefined) return known
    run.events.set(event.seq, event)
    order.set(event, run)
    size += event.json.length
    for (const [oldest, { events }] of order) {
      if (size <= kept || order.size === 1) break
      forget(oldest)
      events.set(oldest.seq, new WeakRef(oldest))
    }
    if (run.events.size >= run.sweepAt) sweep(run)
    return event
  }

  function inMemory(run: ReadRun, seq: number): EventText[] {
    const events: EventText[] = []
    let read = 0
    while (read < page && events.length < count) {
      const event = held(run.events.get(seq + events.length + 1))
      if (event === undefined) break
      events.push(event)
      read += event.json.length
    }
    return events
  }

  return {
    add(runId, events) {
      const run = byRun.get(runId)
      if (run !== undefined) for (const event of events) keep(run, event)
    },
    open(runId) {
      const run = byRun.get(runId) ?? { readers: 0, events: new Map(), sweepAt: sweepSize }
      byRun.set(runId, run)
      run.readers += 1
      return {
        after(seq) {
          const events = inMemory(run, seq)
          if (events.length > 0) return events
          return runs.eventTexts(runId, seq, count, page).map((event) => keep(run, event))
        },
        close() {
          run.readers -= 1
          if (run.readers > 0) return
          byRun.delete(runId)
          for (const event of run.events.values()) if (!(event instanceof WeakRef)) forget(event)
        },
      }
    },
  }
}

function held(event: EventText | WeakRef<EventText> | undefined): EventText | undefined {
  return event instanceof WeakRef ? event.deref() : event
}

/** Removes entries of collected events. The next sweep waits until the map has doubled in size. */
function sweep(run: ReadRun): void {
  for (const [seq, event] of run.events) if (held(event) === undefined) run.events.delete(seq)
  run.sweepAt = 2 * run.events.size + sweepSize
}
