/** Changes the plan of a run for one of its calls, when the change has its turn. */
import type { RunEvent } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import { type Plan, planAlone } from '#lib/spec/plan'
import type { Engine } from '../engine'
import { redactKeyed } from '../observation/redact'
import { planBook } from '../state/plan-fold'
import type { PlanWish } from './running'

export function* changePlan(
  { state, deps, emit }: Engine,
  { callId, change, settle }: PlanWish,
): Generator<RunEvent, void> {
  const before = state.calls.get(callId)?.plan
  // The change was recorded before a crash, and the body runs again.
  if (before !== undefined) return settle(planAlone(before))
  const made = change(planBook(state))
  if (typeof made !== 'string') {
    const plan = redactKeyed(deps, made as unknown as JsonObject) as unknown as Plan // cast: texts stay texts
    yield emit({ type: 'plan.updated', plan, callId })
    return settle(plan)
  }
  settle(made)
}
