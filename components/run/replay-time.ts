/**
 * The time of each event in a replay. Events are stored with whole milliseconds, but several steps can begin
 * in one, and a person must be able to reach each of them.
 */
import type { RunEvent } from '#lib/spec/event'

/** The shortest time between two moments of a replay, in milliseconds. */
export const finestMs = 1 / 8

export interface ReplayTime {
  /** Milliseconds since the run's first event. */
  readonly at: number
  /** Whether a step has only just begun: so far there is nothing but its request to the model. */
  readonly isOpening: boolean
}

export const replayStart: ReplayTime = { at: 0, isOpening: false }

/**
 * The time of the next event. It is never earlier than the event before, and the beginning of a step is
 * earlier than what follows it.
 * @param first the time of the run's first event
 */
export function nextTime({ at, isOpening }: ReplayTime, event: RunEvent, first: number): ReplayTime {
  const opens = event.type === 'step.started' && event.parent === undefined
  const goesOn = isOpening && event.type === 'model.requested'
  const earliest = isOpening && !goesOn ? at + finestMs : at
  return { at: Math.max(earliest, event.at - first), isOpening: opens || goesOn }
}
