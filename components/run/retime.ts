/**
 * Shows the events copied by a fork directly before the fork's own start, so that time is continuous. Pure.
 */
import type { RunEvent } from '#lib/spec/event'
import type { RunState } from '#lib/spec/state'

/** How long the copied part of a fork took in the original runs, in milliseconds. */
export function takenMs(forkedFrom: RunState['forkedFrom']): number {
  return forkedFrom?.copied?.reduce((sum, { ms }) => sum + ms, 0) ?? 0
}

/** How long a finished run itself took, in milliseconds; null while that is not known. */
export function ownMs({
  startedAt,
  finishedAt,
  forkedFrom,
}: Pick<RunState, 'startedAt' | 'finishedAt' | 'forkedFrom'>): number | null {
  if (startedAt === undefined || finishedAt === undefined) return null
  return Math.max(0, finishedAt - startedAt - takenMs(forkedFrom))
}

/**
 * Takes a run's events in order and gives them the times at which they are shown. Copied events keep the
 * intervals between them, but the gap between one run and the next, which may be days, is removed.
 */
export function createRetimer(): (event: RunEvent) => RunEvent {
  let stretches: readonly { readonly through: number }[] = []
  let place = 0
  let now = 0
  let before: number | null = null
  return (event) => {
    if (event.type === 'run.started' && event.parent === undefined) {
      stretches = event.forkedFrom?.copied ?? []
      now = event.at - takenMs(event.forkedFrom)
      return stretches.length === 0 ? event : { ...event, at: now }
    }
    if (event.seq > (stretches.at(-1)?.through ?? 0)) return event
    if (event.seq > (stretches[place]?.through ?? 0)) {
      place += 1
      before = null
    }
    now += Math.max(0, event.at - (before ?? event.at))
    before = event.at
    return { ...event, at: now }
  }
}
