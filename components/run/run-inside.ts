/** The run that a step belongs to: the run itself, or one inside a call. Pure. */
import { callAt, joinPath } from '#lib/agent/state/reading'
import type { RunState } from '#lib/spec/state'

/** The id of a trace's row of that run, among those of the run around it. */
export const rowInside = (parent: string, id: string): string => joinPath(parent, id)

/**
 * Undefined when there is no such run.
 * @param parent the ids of the calls around the run inside, joined by `/`
 */
export function runInside(state: RunState, parent: string | undefined): RunState | undefined {
  return parent === undefined ? state : callAt(state, parent)?.inner
}
