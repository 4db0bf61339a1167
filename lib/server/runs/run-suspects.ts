/**
 * Resumes, one at a time, the runs that may have crashed the server.
 *
 * A run is a suspect when it was resumed after a crash and has finished no step since. All suspects were at
 * work when the server died, although only one of them may be the cause. So after a start, the next suspect
 * waits until the one before it has finished a step, waits for a person, has ended, or has been at work for a
 * minute. If the server dies again, only that one suspect is counted. Runs that are not suspects do not wait.
 */
import type { RunDeps } from '#lib/agent/deps'
import type { RunEvent } from '#lib/spec/event'

/** Whether the run was resumed after a crash and has finished no step since. */
export function isSuspect(events: readonly RunEvent[]): boolean {
  const last = events.findLast(
    ({ type, ...event }) =>
      type === 'step.finished' || (type === 'run.resumed' && 'reason' in event && event.reason === 'crash'),
  )
  return last?.type === 'run.resumed'
}

/**
 * A run that crashes the server does so soon after it is resumed; other suspects need not wait any longer.
 */
const longestAloneMs = 60_000

export interface Suspects<J> {
  /** Queues suspects and starts the first one. */
  add(jobs: readonly { readonly id: string; readonly job: J }[]): void
  /** The run is at work from now on. */
  began(id: string): void
  /** The run has finished a step, or is no longer at work. */
  clear(id: string): void
}

interface SuspectsContext<J> {
  readonly clock: Pick<RunDeps['clock'], 'sleep'>
  /** Aborted when the server stops. */
  readonly signal: AbortSignal
  start(id: string, job: J): void
}

export function createSuspects<J>({ clock, signal, start }: SuspectsContext<J>): Suspects<J> {
  const line: { readonly id: string; readonly job: J }[] = []
  let current: { readonly id: string; readonly over: AbortController } | undefined

  function next(): void {
    current?.over.abort()
    const first = line.shift()
    current = first && { id: first.id, over: new AbortController() }
    if (first !== undefined) start(first.id, first.job)
  }

  function clear(id: string): void {
    if (id === current?.id) next()
  }

  async function clearLater(id: string, over: AbortSignal): Promise<void> {
    const ended = AbortSignal.any([over, signal])
    await clock.sleep(longestAloneMs, ended)
    if (!ended.aborted) clear(id)
  }

  return {
    add: (jobs) => {
      line.push(...jobs)
      if (current === undefined) next()
    },
    began: (id) => {
      if (id === current?.id) void clearLater(id, current.over.signal)
    },
    clear,
  }
}
