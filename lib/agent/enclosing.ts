/** What only the loop reads of the run around a run. */
import type { OuterRun } from '#lib/spec/inner-run'
import type { BoundPolicy } from '#lib/spec/policy'

export interface Enclosing extends OuterRun {
  /** The policies that hold for calls inside. */
  readonly policies: readonly BoundPolicy[]
}

/** The policies of the runs around a run that hold for its own calls. */
export function policiesFrom(outer: OuterRun): readonly BoundPolicy[] {
  return (outer as Enclosing).policies // cast: only the loop makes one
}
