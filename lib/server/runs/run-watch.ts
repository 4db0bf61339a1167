/**
 * One reader's view of a run's events: first the stored ones, then live ones, without a gap or a duplicate.
 */
import { storeFault } from '#db/fault'
import type { EventText } from '#lib/spec/store'
import type { Hub } from './hub'
import type { RecentEvents } from './recent-events'

interface WatchContext {
  readonly recent: RecentEvents
  readonly hub: Hub
  /** Whether more events may come; called once all stored events have been read. */
  isOpen(runId: string): boolean
  /** The first event of the run that is not yet on disk; see `Journal`. */
  unsyncedFrom(runId: string): number | undefined
  /** Milliseconds without an event after which a `beat` is yielded. */
  readonly beatMs?: number
}

/** How the events of a run are followed. */
export interface Watches {
  /**
   * Yields the events after `after`, stored ones first, and a `beat` after ten seconds without an event. Ends
   * after the `run.finished` of the run itself, on abort, and when the server drains. Throws when there is no such
   * run.
   */
  watch(id: string, after: number, signal: AbortSignal): AsyncIterable<EventText | 'beat'>
  /** The same, but what can be read at once comes at once. */
  watchPages(id: string, after: number, signal: AbortSignal): AsyncIterable<readonly EventText[] | 'beat'>
}

/**
 * @param find throws when there is no such run; for a new one it returns a promise that resolves when the run is
 * on disk
 */
export function createWatches(
  context: WatchContext,
  find: (id: string) => Promise<void> | undefined,
): Watches {
  return {
    watch: (runId, after, signal) => watchRun(context, { runId, after, signal }, find(runId)),
    watchPages: (runId, after, signal) => watchPages(context, { runId, after, signal }, find(runId)),
  }
}

interface Watching {
  readonly runId: string
  /** The seq of the reader's last event. */
  readonly after: number
  readonly signal: AbortSignal
}

/** The same as `watchPages`, event by event. */
export async function* watchRun(
  context: WatchContext,
  watching: Watching,
  onDisk?: Promise<void>,
): AsyncGenerator<EventText | 'beat', void> {
  for await (const page of watchPages(context, watching, onDisk)) {
    if (page === 'beat') yield page
    else
      for (const event of page) {
        yield event
        if (watching.signal.aborted) return
      }
  }
}

/**
 * Yields every event after `after`, those that are there together as one page, and a `beat` after ten seconds
 * without an event. Ends after the `run.finished` of the run itself, when the run can yield no more, when
 * `signal` aborts, when the hub closes, or when the database cannot be read. A reader holds at most one page of
 * events, however far behind it is.
 * @param onDisk resolves when a new run is on disk
 */
export async function* watchPages(
  context: WatchContext,
  { runId, after, signal }: Watching,
  onDisk?: Promise<void>,
): AsyncGenerator<readonly EventText[] | 'beat', void> {
  await onDisk
  const events = context.recent.open(runId)
  const news = listen(context.hub, runId, signal)
  let seq = after
  try {
    while (!news.closed()) {
      // Reading and marking happen in one turn of the event loop, so no event is stored unseen between them.
      const until = context.unsyncedFrom(runId) ?? Number.POSITIVE_INFINITY
      const page = news.isBehind(seq) ? events.after(seq).filter((event) => event.seq < until) : []
      const last = page.at(-1)
      if (last !== undefined) {
        seq = last.seq
        yield page
        if (endsRun(last) || signal.aborted) return
        continue
      }
      news.caughtUp(seq)
      if (!context.isOpen(runId)) return
      if (await news.wait(context.beatMs ?? 10_000)) continue
      // If a notification is ever missed, the reader is late by at most one beat.
      news.lookAgain()
      yield 'beat'
    }
  } catch (error) {
    // The reader reconnects and then gets the error of the storage.
    if (storeFault(error) === undefined) throw error
  } finally {
    news.close()
    events.close()
  }
}

/** Whether no event follows this one: it ends the run itself, not a sub-agent within it. */
function endsRun(event: EventText): boolean {
  return event.type === 'run.finished' && JSON.parse(event.json).parent === undefined
}

/** Tracks the newest seq that the hub published; infinite until all stored events have been read once. */
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
    /** True when an event came, false when the time ran out. */
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
