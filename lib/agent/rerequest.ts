/** Makes the request of a step again, long after it was sent. */
import type { RunState } from '#lib/spec/state'
import { createWire, type WireDeps } from './wire'

/**
 * The body of the step's last request, from the folded state; undefined when the step sent none.
 * It is exact when its hash is the `hash` of that `model.requested`.
 */
export function request(state: RunState, deps: WireDeps, number: number): { body: string } | undefined {
  const step = state.steps[number - 1]
  if (step?.request === undefined) return undefined
  const { body } = createWire(state, deps).request({
    step,
    attempt: step.request.attempt,
    nudge: step.nudged,
  })
  return { body }
}
