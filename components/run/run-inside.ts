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

/** The names of the calls around a run inside, from the outermost; undefined for the run itself. */
export function namesOfCalls(state: RunState | null, parent: string | undefined): string[] | undefined {
  if (state === null) return undefined
  const ids = parent?.split('/')
  return ids?.map((_, index) => callAt(state, ids.slice(0, index + 1).reduce(joinPath))?.name ?? '')
}
