/** Folds the plan of a run, and says what it was at each step. */
import type { EventOf } from '#lib/spec/event'
import { type HeldPlan, type PlanBook, planAlone, readPlan } from '#lib/spec/plan'
import type { RunState, StepState } from '#lib/spec/state'

/** The most plans that are kept after others have replaced them. */
const mostPast = 20

/** The run continues the plan of the one before. */
export function planBegun(state: RunState, stored: NonNullable<EventOf<'run.queued'>['plan']>): void {
  state.plan = { ...readPlan(stored), revision: 1, by: 'model' }
}

/** A plan under another id takes the place of the present one, which is kept. */
export function planUpdated(state: RunState, event: EventOf<'plan.updated'>): RunState {
  const before = state.plan
  const next = readPlan(event.plan)
  const held: HeldPlan = { ...next, revision: (before?.revision ?? 0) + 1, by: event.by ?? 'model' }
  if (before !== undefined && before.id !== next.id) {
    const others = (state.pastPlans ?? []).filter(({ id }) => id !== next.id)
    state.pastPlans = [...others, planAlone(before)].slice(-mostPast)
  }
  state.plan = held
  if (event.by === 'person') state.planEditedAt = event.at
  const call = event.callId === undefined ? undefined : state.calls.get(event.callId)
  if (call !== undefined) call.plan = held
  return state
}

/** What a step takes over when it begins. */
export function planOfStep(state: RunState): Pick<StepState, 'plan' | 'planEditedAt'> {
  const { plan, planEditedAt } = state
  if (plan === undefined) return {}
  delete state.planEditedAt
  return { plan, ...(planEditedAt !== undefined && { planEditedAt }) }
}

export function planBook({ plan, pastPlans = [] }: Pick<RunState, 'plan' | 'pastPlans'>): PlanBook {
  return { plan: plan && planAlone(plan), past: pastPlans }
}
