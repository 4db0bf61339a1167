/**
 * Takes up, one at a time, the runs that may have brought the server down before.
 *
 * The rule: a run is suspect when it has been taken up after a crash and has finished no step since. All suspects were at
 * work when the server died, and only one of them need be the cause. So after a boot the next suspect waits until the one
 * before it has finished a step, waits for a person, has ended, or has been at work for a minute while the server lives:
 * if the server dies again, only that one is counted. Runs that are no suspects do not wait.
 */
import type { RunDeps } from '#lib/agent/deps'
import type { RunEvent } from '#lib/spec/event'

/** Whether the run has been taken up after a crash and has finished no step since. */
export function isSuspect(events: readonly RunEvent[]): boolean {
  const last = events.findLast(
    ({ type, ...event }) =>
      type === 'step.finished' || (type === 'run.resumed' && 'reason' in event && event.reason === 'crash'),
  )
  return last?.type === 'run.resumed'
}

/** A run that brings the server down does so soon after it is taken up; a slow step must not keep the others waiting. */
const longestAloneMs = 60_000

export interface Suspects<J> {
  /** Puts suspects in line and starts the first. */
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
