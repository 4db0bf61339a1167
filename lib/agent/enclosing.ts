/** What only the loop reads of the run around a run. */
import type { OuterRun } from '#lib/spec/inner-run'
import type { BoundPolicy } from '#lib/spec/policy'

export interface Enclosing extends OuterRun {
  /** The policies that hold for calls inside. */
  readonly policies: readonly BoundPolicy[]
}

/** The policies that hold for a run's calls: its own, and those of the runs around it. */
export function policiesOf({
  policies,
  outer,
}: {
  readonly policies: readonly BoundPolicy[]
  readonly outer?: OuterRun
}): readonly BoundPolicy[] {
  if (outer === undefined) return policies
  return [...policies, ...(outer as Enclosing).policies] // cast: only the loop makes one
}
