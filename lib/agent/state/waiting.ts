/** Counts the calls that wait for a person, and the time that the run waits for them. */
import type { CallState, RunState } from '#lib/spec/state'
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

/** Whether a person has to decide on the call, or to reply to a question of it. */
export function isWaiting(call: CallState): boolean {
  return call.status === 'waiting' || isAskingAtWork(call)
}

/** Whether the body of the call is at work and waits for a reply. */
export function isAskingAtWork({ status, inputs = [] }: CallState): boolean {
  return status === 'running' && inputs.some(({ given, round }) => given === undefined && round === undefined)
}
