/** One reader's view of a run's events: the stored ones first, then live, with no gap and no duplicate. */
import { storeFault } from '#db/fault'
import type { EventText } from '#lib/spec/store'
import type { Hub } from './hub'
import type { RecentEvents } from './recent-events'

interface WatchContext {
  readonly recent: RecentEvents
  readonly hub: Hub
  /** Whether more may come; asked once all that is stored has been read. */
  isOpen(runId: string): boolean
  /** Milliseconds of silence after which a `beat` is given. */
  readonly beatMs?: number
}

/**
 * Gives every event after `after`, and a `beat` when nothing happens for ten seconds. Ends after the run's own
 * `run.finished`, when the run has no more to say, when `signal` aborts, when the hub closes, or when the database cannot
 * be read. A reader holds one page of events and no more, however far it is behind.
 */
export async function* watchRun(
  context: WatchContext,
  { runId, after, signal }: { runId: string; after: number; signal: AbortSignal },
): AsyncGenerator<EventText | 'beat', void> {
  const events = context.recent.open(runId)
  const news = listen(context.hub, runId, signal)
  let seq = after
  try {
    while (!news.closed()) {
      // Reading and marking are one turn of the event loop, so nothing can be stored between them unseen.
      const page = news.isBehind(seq) ? events.after(seq) : []
      if (page.length === 0) news.caughtUp(seq)
      for (const event of page) {
        seq = event.seq
        yield event
        if (endsRun(event)) return
        if (signal.aborted) return
      }
      if (page.length > 0) continue
      if (!context.isOpen(runId)) return
      if (await news.wait(context.beatMs ?? 10_000)) continue
      // Should a notice ever be missed, the reader lags by a beat and no more.
      news.lookAgain()
      yield 'beat'
    }
  } catch (error) {
    // The reader comes back, and is then told why there is nothing to read.
    if (storeFault(error) === undefined) throw error
  } finally {
    news.close()
    events.close()
  }
}

/** Whether nothing follows this event: the end of the run itself, not of a sub-agent within it. */
function endsRun(event: EventText): boolean {
  return event.type === 'run.finished' && JSON.parse(event.json).parent === undefined
}

/** How far the run has come, by what the hub says of it; unknown until all that is stored has been read once. */
function listen(hub: Hub, runId: string, signal: AbortSignal) {
  let newest = Number.POSITIVE_INFINITY
  let closed = signal.aborted
  let wake: (() => void) | undefined

  const end = () => {
    closed = true
    wake?.()
  }
  const leave = hub.subscribe(runId, (events) => {
    if (events === null) return end()
    const last = events.at(-1)
    if (last !== undefined && newest !== Number.POSITIVE_INFINITY) newest = Math.max(newest, last.seq)
    wake?.()
  })
  signal.addEventListener('abort', end, { once: true })

  return {
    closed: () => closed,
    isBehind: (seq: number) => seq < newest,
    caughtUp: (seq: number) => {
      newest = seq
    },
    lookAgain: () => {
      newest = Number.POSITIVE_INFINITY
    },
    /** True when something came, false when the time ran out. */
    wait: async (ms: number): Promise<boolean> => {
      if (closed) return true
      let timer: ReturnType<typeof setTimeout> | undefined
      const woken = await new Promise<boolean>((resolve) => {
        wake = () => resolve(true)
        timer = setTimeout(() => resolve(false), ms)
      })
      clearTimeout(timer)
      wake = undefined
      return woken
    },
    close: () => {
      leave()
      signal.removeEventListener('abort', end)
    },
  }
}
