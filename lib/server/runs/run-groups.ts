/** Which groups of tools a thread has active, for its next run. */
import type { RunEvent } from '#lib/spec/event'
import { isObject, tryParseJson } from '#lib/spec/json'
import type { RunRow, RunStore } from '#lib/spec/store'

/**
 * The active groups after the run that the new one continues; undefined when no run of the thread has changed
 * them, or when the config has no groups.
 */
export function groupsBefore(
  runs: Pick<RunStore, 'settledEvents'>,
  { historyThrough, config }: Pick<RunRow, 'historyThrough' | 'config'>,
): string[] | undefined {
  if (historyThrough === null || !hasGroups(config)) return undefined
  const events = runs.settledEvents(historyThrough)
  const last = events.findLast((each) => each.type === 'groups.changed' && each.parent === undefined)
  return last?.type === 'groups.changed' ? last.active : groupsIn(events[0])
}

/** The active groups with which a run began. */
export function groupsIn(first: RunEvent | undefined): string[] | undefined {
  return first?.type === 'run.queued' ? first.groups : undefined
}

/** Most configs have none, and parsing a long one is slow. */
function hasGroups(config: string): boolean {
  if (!config.includes('"groups"')) return false
  const parsed = tryParseJson(config)
  return isObject(parsed) && Array.isArray(parsed.groups) && parsed.groups.length > 0
}
