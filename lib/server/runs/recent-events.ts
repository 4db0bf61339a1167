/** Stored events on their way to readers: one copy of each for all readers of a run, within one bound for all runs. */
import type { EventText, RunStore } from '#lib/spec/store'

export interface RecentEvents {
  /** Takes events that have just been stored; they are kept only while somebody reads their run. */
  add(runId: string, events: readonly EventText[]): void
  /** Counts one more reader of the run. */
  open(runId: string): EventReader
}

export interface EventReader {
  /** The next events after `seq`, from memory or else from the disk; empty only when none is stored. */
  after(seq: number): EventText[]
  /** The events of a run that nobody reads any more are dropped. */
  close(): void
}

interface Limits {
  /** Characters of JSON kept in memory for all runs together. */
  readonly kept?: number
  /** Characters of JSON in one page; the event that passes it is the page's last. */
  readonly page?: number
  /** Events in one page: few enough that no reader holds up the clean-up of the database's log. */
  readonly count?: number
}

interface ReadRun {
  readers: number
  /** Weak, so that an event past the bound is still shared while some reader is sending it. */
  readonly events: Map<number, WeakRef<EventText>>
  /** The size of `events` at which those that are gone are looked for. */
  sweepAt: number
}

const sweepSize = 1_000

export function createRecentEvents(
  runs: Pick<RunStore, 'eventTexts'>,
  { kept = 8 * 1024 * 1024, page = 128 * 1024, count = 200 }: Limits = {},
): RecentEvents {
  const byRun = new Map<string, ReadRun>()
  /** The events that are kept even when no reader holds them, in the order of coming. */
  const order = new Set<EventText>()
  let size = 0

  function forget(event: EventText): void {
    if (order.delete(event)) size -= event.json.length
  }

  /** The one copy of the event that readers share. */
  function keep(run: ReadRun, event: EventText): EventText {
    const known = run.events.get(event.seq)?.deref()
    if (known !== undefined) return known
    run.events.set(event.seq, new WeakRef(event))
    order.add(event)
    size += event.json.length
    for (const oldest of order) {
      if (size <= kept || order.size === 1) break
      forget(oldest)
    }
    if (run.events.size >= run.sweepAt) sweep(run)
    return event
  }

  function inMemory(run: ReadRun, seq: number): EventText[] {
    const events: EventText[] = []
    let read = 0
    while (read < page && events.length < count) {
      const event = run.events.get(seq + events.length + 1)?.deref()
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
          for (const ref of run.events.values()) {
            const event = ref.deref()
            if (event !== undefined) forget(event)
          }
        },
      }
    },
  }
}

/** Forgets the places of events that are gone; each sweep pays for itself by as many events as it leaves. */
function sweep(run: ReadRun): void {
  for (const [seq, ref] of run.events) if (ref.deref() === undefined) run.events.delete(seq)
  run.sweepAt = 2 * run.events.size + sweepSize
}
