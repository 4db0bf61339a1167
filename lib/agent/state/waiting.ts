/** Counts the calls that wait for a person, and the time that the run waits for them. */
import type { CallState, RunState } from '#lib/spec/state'
import { runningInBackground } from './background'
import { isCopied } from './fork-copied'

/** A call waits for a person from now on. */
export function beginWait(state: RunState, at: number): void {
  state.waiting += 1
  state.status = 'waiting'
  state.waitingSince ??= at
}

/** A call no longer waits. The last one ends the run's waiting. */
export function endWait(state: RunState, at: number): void {
  state.waiting -= 1
  if (state.waiting > 0) return
  if (state.status === 'waiting') state.status = 'running'
  if (state.waitingSince !== null && !isCopied(state)) state.waitedMs += at - state.waitingSince
  state.waitingSince = null
}

/** Whether a person has to decide on the call, or to reply to a question of it or of a run inside it. */
export function isWaiting(call: CallState): boolean {
  return call.status === 'waiting' || isAskingAtWork(call) || isWaitingInside(call)
}

/** Whether a call of the run inside this call, whose body is at work, waits for a person. */
function isWaitingInside({ status, inner }: CallState): boolean {
  return status === 'running' && inner !== undefined && inner.waiting > 0
}

/** Whether nothing in the call is at work before a person has answered. */
export function onlyAsks(call: CallState): boolean {
  if (isAskingAtWork(call)) return true
  if (call.inner === undefined || !isWaitingInside(call)) return false
  const step = call.inner.steps.at(-1)
  // Its model may be at work.
  if (step === undefined || (step.parts === undefined && step.finishedAt === undefined)) return false
  const own = step.calls.filter((each) => each.result === undefined && each.status !== 'due')
  return [...own, ...runningInBackground(call.inner)].every(
    (each) => each.status === 'waiting' || onlyAsks(each),
  )
}

/** Makes a change, and counts the call as one that waits for a person if it does from then on. */
export function whileWaiting(state: RunState, call: CallState, at: number, change: () => void): RunState {
  const before = isWaiting(call)
  change()
  const after = isWaiting(call)
  if (after && !before) beginWait(state, at)
  if (before && !after) endWait(state, at)
  return state
}

/** Whether the body of the call is at work and waits for a reply. */
export function isAskingAtWork({ status, inputs = [] }: CallState): boolean {
  return status === 'running' && inputs.some(({ given, round }) => given === undefined && round === undefined)
}
