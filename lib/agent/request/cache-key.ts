/** The key by which a provider recognizes requests that begin alike. */
import type { RunState } from '#lib/spec/state'
import type { RunDeps } from '../deps'

/**
 * The same for all steps of a run, and for all runs of a thread with the same version of its agent. A hash, so
 * that the provider learns no name and no id.
 */
export function cacheKeyOf({ start, startedAt }: RunState, { hash }: Pick<RunDeps, 'hash'>): string {
  const { agent, threadId, input } = start
  const place = threadId ?? [startedAt ?? 0, input]
  return hash(JSON.stringify([agent.id, agent.version, agent.configHash, place])).slice(0, 32)
}
