/** Acts for people who have not answered in time, counting the time by the server's own clock. */
import { storeFault } from '#db/fault'
import type { RunDeps } from '#lib/agent/deps'
import { AppError } from '#lib/spec/errors'

interface DeadlinesContext {
  readonly clock: RunDeps['clock']
  /** Ends every wait. */
  readonly signal: AbortSignal
  report(error: unknown, runId: string): void
}

/** What a person is waited for: a decision on a call, or the reply to a question. */
export interface Awaited {
  readonly runId: string
  /** Unique within the run. */
  readonly key: string
  /** How long the person still has, in milliseconds. */
  leftMs(): number
  /** Stores the answer that counts when there is none. */
  act(): Promise<void>
}

export interface Deadlines {
  /** A wait with the same key replaces an earlier one. */
  watch(awaited: Awaited): void
  /** Ends the wait with this key, or all waits of the run. */
  unwatch(runId: string, key?: string): void
}

/** Between two attempts to store an answer, ms. */
const retryMs = 2_000
/** Timers of Node count milliseconds in a signed 32-bit integer. */
const longestSleepMs = 2_000_000_000

export function createDeadlines({ clock, signal: stopped, report }: DeadlinesContext): Deadlines {
  /** What ends each wait, grouped by run. */
  const watched = new Map<string, Map<string, AbortController>>()
  stopped.addEventListener('abort', () => {
    for (const runId of [...watched.keys()]) unwatch(runId)
  })

  function unwatch(runId: string, key?: string): void {
    const waits = watched.get(runId)
    for (const each of key === undefined ? [...(waits?.keys() ?? [])] : [key]) {
      waits?.get(each)?.abort('answered')
      waits?.delete(each)
    }
    if (waits?.size === 0) watched.delete(runId)
  }

  /** Counts the time while the server runs, so a changed system clock neither shortens nor extends it. */
  async function inTime({ runId, key, leftMs, act }: Awaited): Promise<void> {
    if (stopped.aborted) return
    unwatch(runId, key)
    const { signal, ...wait } = startWait(runId, key)
    try {
      const whole = leftMs()
      const until = clock.monotonic() + whole
      for (let left = whole; left > 0 && !signal.aborted; left = until - clock.monotonic())
        await clock.sleep(Math.min(left, longestSleepMs), signal)
      if (!signal.aborted) await actWhenStored(act)
    } catch (error) {
      // A person answered first, or the run is over. After any other error, the next start watches again.
      if (!signal.aborted && !(error instanceof AppError)) report(error, runId)
    } finally {
      wait.end()
    }
  }

  /** Tries again for as long as the disk cannot be written. */
  async function actWhenStored(act: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await act()
      } catch (error) {
        const isForNow =
          storeFault(error) !== undefined || (error instanceof AppError && error.code === 'unavailable')
        if (!isForNow || stopped.aborted) throw error
      }
      await clock.sleep(retryMs, stopped)
      if (stopped.aborted) return
    }
  }

  function startWait(runId: string, key: string): { signal: AbortSignal; end(): void } {
    const waits = watched.get(runId) ?? new Map<string, AbortController>()
    const wait = new AbortController()
    watched.set(runId, waits.set(key, wait))
    // The same may be asked again meanwhile; that newer wait must stay.
    const end = () => {
      if (watched.get(runId)?.get(key) === wait) unwatch(runId, key)
    }
    return { signal: wait.signal, end }
  }

  return { watch: (awaited) => void inTime(awaited), unwatch }
}

/**
 * The time that is left after a restart; never more than the original time, even if the clock was set back.
 */
export function leftAfterStart(now: number, expiresAt: number, askedAt: number | undefined): number {
  const left = expiresAt - now
  return askedAt === undefined ? left : Math.min(left, expiresAt - askedAt)
}
