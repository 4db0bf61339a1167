/** Finds the events that a fork copied from its parent: they belong to its dialogue, not to its usage. */
import type { RunState } from '#lib/spec/state'

/** Whether the event just folded was copied from the run that this one was forked from. */
export function isCopied({ seq, forkedFrom }: RunState): boolean {
  return seq <= copiedThrough(forkedFrom)
}

/** The sequence number of the last event that a fork copied; 0 when it copied none. */
export function copiedThrough(forkedFrom: RunState['forkedFrom']): number {
  return forkedFrom?.copied?.at(-1)?.through ?? 0
}
