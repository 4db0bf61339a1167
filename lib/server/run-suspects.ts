/**
 * Takes up, one at a time, the runs that may have brought the server down before.
 *
 * The rule: a run is suspect when it has been taken up after a crash and has finished no step since. All suspects were at
 * work when the server died, and only one of them need be the cause. So after a boot the next suspect waits until the one
 * before it has finished a step, waits for a person or has ended: if the server dies again, only that one is counted.
 * Runs that are no suspects do not wait.
 */
import type { RunEvent } from '#lib/spec/event'

/** Whether the run has been taken up after a crash and has finished no step since. */
export function isSuspect(events: readonly RunEvent[]): boolean {
  const last = events.findLast(
    ({ type, ...event }) =>
      type === 'step.finished' || (type === 'run.resumed' && 'reason' in event && event.reason === 'crash'),
  )
  return last?.type === 'run.resumed'
}

export interface Suspects<J> {
  /** Puts suspects in line and starts the first. */
  add(jobs: readonly { readonly id: string; readonly job: J }[]): void
  /** The run has finished a step, or is no longer at work. */
  clear(id: string): void
}

export function createSuspects<J>(start: (id: string, job: J) => void): Suspects<J> {
  const line: { readonly id: string; readonly job: J }[] = []
  let current: string | undefined
  const next = () => {
    const first = line.shift()
    current = first?.id
    if (first !== undefined) start(first.id, first.job)
  }
  return {
    add: (jobs) => {
      line.push(...jobs)
      if (current === undefined) next()
    },
    clear: (id) => {
      if (id === current) next()
    },
  }
}
