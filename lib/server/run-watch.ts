/** One reader's view of a run's events: from the disk first, then live, with no gap and no duplicate. */
import { storeFault } from '#db/fault'
import type { EventText, RunStore } from '#lib/spec/store'
import type { Hub } from './hub'

interface WatchContext {
  readonly runs: Pick<RunStore, 'eventTexts'>
  readonly hub: Hub
  /** Whether more may come; asked once all that is stored has been read. */
  isOpen(runId: string): boolean
  /** Milliseconds of silence after which a `beat` is given. */
  readonly beatMs?: number
}

/** Characters of live events held for one slow reader; past it they are dropped and read from the disk instead. */
const buffer = 1024 * 1024
/** Events read from the disk at once: short enough that no reader holds up the log's clean-up. */
const page = 200

/**
 * Gives every event after `after`, and a `beat` when nothing happens for ten seconds. Ends after the run's own
 * `run.finished`, when the run has no more to say, when `signal` aborts, when the hub closes, or when the database cannot
 * be read.
 */
export async function* watchRun(
  context: WatchContext,
  { runId, after, signal }: { runId: string; after: number; signal: AbortSignal },
): AsyncGenerator<EventText | 'beat', void> {
  const mailbox = openMailbox(context.hub, runId, signal)
  let seq = after
  try {
    while (!mailbox.closed()) {
      // Reading and marking are one turn of the event loop, so nothing can be stored between them unseen.
      const behind = mailbox.isBehind()
      const frames = behind ? context.runs.eventTexts(runId, seq, page) : mailbox.take()
      if (behind && frames.length < page) mailbox.caughtUp()
      for (const frame of frames) {
        if (frame.seq <= seq) continue
        seq = frame.seq
        yield frame
        if (endsRun(frame)) return
        if (signal.aborted) return
      }
      if (frames.length > 0) continue
      if (!context.isOpen(runId)) return
      if (await mailbox.wait(context.beatMs ?? 10_000)) continue
      // Should a notice ever be missed, the reader lags by a beat and no more.
      mailbox.fallBehind()
      yield 'beat'
    }
  } catch (error) {
    // The reader comes back, and is then told why there is nothing to read.
    if (storeFault(error) === undefined) throw error
  } finally {
    mailbox.close()
  }
}

/** Whether nothing follows this event: the end of the run itself, not of a sub-agent within it. */
function endsRun(frame: EventText): boolean {
  return frame.type === 'run.finished' && JSON.parse(frame.json).parent === undefined
}

/** What has come since the reader last looked. A new mailbox is behind: all is on the disk. */
function openMailbox(hub: Hub, runId: string, signal: AbortSignal) {
  let frames: EventText[] = []
  let size = 0
  let behind = true
  let closed = signal.aborted
  let wake: (() => void) | undefined

  const drop = () => {
    frames = []
    size = 0
  }
  const fallBehind = () => {
    behind = true
    drop()
  }
  const end = () => {
    closed = true
    wake?.()
  }
  const leave = hub.subscribe(runId, (news) => {
    if (news === null) return end()
    if (!behind) {
      for (const frame of news) {
        frames.push(frame)
        size += frame.json.length
      }
      if (size > buffer) fallBehind()
    }
    wake?.()
  })
  signal.addEventListener('abort', end, { once: true })

  return {
    closed: () => closed,
    isBehind: () => behind,
    caughtUp: () => {
      behind = false
    },
    fallBehind,
    take: () => {
      const taken = frames
      drop()
      return taken
    },
    /** True when something came, false when the time ran out. */
    wait: async (ms: number): Promise<boolean> => {
      if (frames.length > 0 || behind || closed) return true
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
