/** When a run did nothing but wait for a person. Pure; a finished step is read once. */
import type { RunState, StepState } from '#lib/spec/state'
import { idleOf, type Stretch } from './time-scale'

const settled = new WeakMap<StepState, readonly Stretch[]>()

/** Keeps the waits of finished steps between updates; each reader needs its own. */
export function createRunWaits(): (state: RunState) => readonly Stretch[] {
  let known: { state: RunState; steps: number; waits: Stretch[] } | null = null
  return (state) => {
    if (known?.state !== state) known = { state, steps: 0, waits: [] }
    const { steps } = state
    for (let step = steps[known.steps]; step?.finishedAt !== undefined; step = steps[known.steps]) {
      known.waits.push(...waitsOfStep(step, state.finishedAt))
      known.steps += 1
    }
    const open = steps.slice(known.steps).flatMap((step) => waitsOfStep(step, state.finishedAt))
    return [...known.waits, ...open]
  }
}

function waitsOfStep(step: StepState, end: number | undefined): readonly Stretch[] {
  const kept = settled.get(step)
  if (kept !== undefined) return kept
  const waits: Stretch[] = []
  const works: Stretch[] = []
  for (const { approval, inputs = [], startedAt, finishedAt } of step.calls) {
    let from = startedAt
    for (const { askedAt, given, refused } of inputs) {
      if (refused !== undefined) continue
      const to = given?.at ?? finishedAt ?? end ?? null
      waits.push({ from: askedAt, to })
      // A call that waits for a reply does nothing else.
      if (from !== undefined && from <= askedAt) works.push({ from, to: askedAt })
      from = to === null ? undefined : Math.max(from ?? to, to)
    }
    if (approval !== undefined)
      waits.push({ from: approval.askedAt, to: approval.decided?.at ?? finishedAt ?? end ?? null })
    if (from !== undefined) works.push({ from, to: finishedAt ?? end ?? null })
  }
  const found = waits.length === 0 ? [] : idleOf(waits, works)
  if (step.finishedAt !== undefined) settled.set(step, found)
  return found
}
