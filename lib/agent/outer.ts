/** What of a run holds for the runs inside its calls: its limits, and what has come into it from outside. */
import type { OuterRun } from '#lib/spec/inner-run'
import { type RunDeps, stopOf } from './deps'
import type { Enclosing } from './enclosing'
import type { Engine } from './engine'
import { overrun } from './overrun'
import { joinPath } from './state/inner-path'

interface Around extends Pick<Engine, 'state' | 'limits' | 'past' | 'signal'> {
  readonly deps: Pick<RunDeps, 'policies' | 'outer' | 'hasUploads'>
}

/** @param callId the call that the run is inside of */
export function outerOf({ state, deps, limits, past, signal }: Around, callId: string): OuterRun {
  const enclosing: Enclosing = {
    path: deps.outer === undefined ? callId : joinPath(deps.outer.path, callId),
    policies: deps.policies.flatMap((each) => each.inside?.() ?? []),
    begun: past.begun,
    hasFiles: () =>
      (state.start.files?.length ?? 0) > 0 ||
      state.start.earlier?.files === true ||
      deps.hasUploads?.() === true ||
      deps.outer?.hasFiles() === true,
    overBudget: () => deps.outer?.overBudget() ?? overrun(state, limits, stopOf(signal) === 'budget')?.reason,
  }
  return enclosing
}
