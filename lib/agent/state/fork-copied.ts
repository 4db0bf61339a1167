/** What in a run was taken over from the one it was forked from: the dialogue's, and nobody's spending. */
import type { RunState } from '#lib/spec/state'

/** Whether the event just folded was taken over from the run that this one was forked from. */
export function isCopied({ seq, forkedFrom }: RunState): boolean {
  return seq <= copiedThrough(forkedFrom)
}

/** The last event that a fork took over; 0 when it took over none. */
export function copiedThrough(forkedFrom: RunState['forkedFrom']): number {
  return forkedFrom?.copied?.at(-1)?.through ?? 0
}
