/** Names the point where a fork continues, and the run it came from. Pure. */
import type { ForkChange, ForkEdit, ForkPoint } from '#lib/spec/event'

const edits: Record<ForkEdit, string> = {
  prompt: 'another question',
  reply: 'another reply',
  args: 'other arguments',
  result: 'another result',
  summary: 'another summary',
}

const configs: Record<ForkChange, string> = {
  draft: 'the draft at that time',
  model: 'another model',
  instructions: 'other instructions',
}

/** Where a fork continues and what differs, in a few words: `step 2, other arguments, another model`. */
export function pointWords({ step, parent, edit, changes = [] }: ForkPoint): string {
  const others = changes.map((each) => configs[each])
  // Another question keeps no step, whichever step the person was at.
  if (edit === 'prompt') return ['from the start', edits[edit], ...others].join(', ')
  const first = edit === undefined ? (others.length === 0 ? ['asked again'] : []) : [edits[edit]]
  const at = parent === undefined ? `step ${step}` : `step ${step} of an agent that it called`
  return [at, ...first, ...others].join(', ')
}

/** The end of a run's id: enough to distinguish runs. */
export function shortId(runId: string): string {
  return runId.replace(/^run_/, '').slice(-6)
}
