/** Names the point where a fork continues, and the run it came from. Pure. */
import type { ForkEdit, ForkPoint } from '#lib/spec/event'

const changes: Record<ForkEdit, string> = {
  prompt: 'another question',
  reply: 'another reply',
  args: 'other arguments',
  result: 'another result',
}

/** Where a fork continues, in a few words: `step 2, other arguments`. */
export function pointWords({ step, edit }: ForkPoint): string {
  // Another question keeps no step, whichever step the person was at.
  if (edit === 'prompt') return `from the start, ${changes[edit]}`
  return edit === undefined ? `step ${step}, asked again` : `step ${step}, ${changes[edit]}`
}

/** The end of a run's id: enough to distinguish runs. */
export function shortId(runId: string): string {
  return runId.replace(/^run_/, '').slice(-6)
}
