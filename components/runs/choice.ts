/** The selection on a run's page: a row of the trace, and the step it belongs to. */
import { rowInside, runInside } from '#components/run/run-inside'
import { placeOf, type Row } from '#components/trace/row'
import { stepId } from '#components/trace/rows'
import type { RunState, StepState } from '#lib/spec/state'

export interface Choice {
  /** Id of the trace's row. */
  readonly row: string
  /** 0 for rows before the first step; the shown step then stays. */
  readonly step: number
  /** For a step of a run inside a call: the ids of the calls around that run, joined by `/`. */
  readonly parent?: string | undefined
}

export function choiceOfStep(step: StepState, parent?: string): Choice {
  const id = stepId(step)
  return parent === undefined
    ? { row: id, step: step.number }
    : { row: rowInside(parent, id), step: step.number, parent }
}

/** A row of a run inside a call that belongs to none of its steps is one of the step that made the call. */
export function choiceOfRow(row: Row): Choice {
  return { row: row.id, ...(placeOf(row) ?? { step: row.step }) }
}

/** The run that the choice is a step of. */
export function runOf(state: RunState, choice: Choice | null): RunState {
  return runInside(state, choice?.parent) ?? state
}

/** The last thing an entry did: a tool's last call, or the model's last answer; null when it did nothing. */
export function choiceOfNode(state: RunState, path: string | undefined): Choice | null {
  if (path === undefined) return null
  const last = state.steps.at(-1)
  if (path === 'model' || path === 'agent') return last === undefined ? null : choiceOfStep(last)
  for (const step of state.steps.toReversed()) {
    const call = step.calls.findLast(
      (each) => each.node === path || each.rulings.some((ruling) => ruling.node === path),
    )
    if (call !== undefined) return { row: call.id, step: step.number }
  }
  return null
}

/** The step whose detail is shown: the selected one, or else the last, which follows a running run. */
export function stepOf(state: RunState, choice: Choice | null): StepState | undefined {
  const { steps } = runOf(state, choice)
  return steps.find((each) => each.number === choice?.step) ?? steps.at(-1)
}

/**
 * The step to show when none is selected: the one at the playhead or at the end, or the first step before the
 * playhead reaches any.
 */
export function followedStep(state: RunState | null, shown: RunState | null): Choice | null {
  const step = shown?.steps.at(-1) ?? state?.steps[0]
  return step === undefined ? null : choiceOfStep(step)
}
