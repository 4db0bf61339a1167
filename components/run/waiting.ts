/** What a run asks a person: decisions on calls, and questions of calls. Pure. */
import { type AskingCall, askingCallsOf, openInputsOf } from '#lib/agent/state/reading'
import type { AskedInput } from '#lib/spec/input'
import type { CallState } from '#lib/spec/state'
import type { LiveRun } from './run-store'

interface WaitingCall {
  readonly call: CallState
  /** What the call is called in the API: its id, after those of the calls around it. */
  readonly path: string
  /** The call of the run itself around a call of another agent, and the name of that agent. */
  readonly inside?: { readonly call: CallState | undefined; readonly agent: string }
  readonly step: number
  /** Its position among the calls of its step, from 1. */
  readonly at: number
  /** Milliseconds since 1970; the same call may ask more than once. */
  readonly askedAt: number
}

export interface WaitingDecision extends WaitingCall {
  readonly kind: 'approval'
}

export interface WaitingReply extends WaitingCall {
  readonly kind: 'input'
  readonly input: AskedInput
}

export type Waiting = WaitingDecision | WaitingReply

/** In a replay nobody can be answered. */
export function waitingCalls(run: LiveRun): readonly Waiting[] {
  const { state, replay } = run
  if (state === null || replay !== null) return []
  return askingCallsOf(state).flatMap((asking) => {
    if (asking.of === state) return waitingOf(asking)
    const [outermost = ''] = asking.path.split('/')
    const inside = { call: state.calls.get(outermost), agent: asking.of.start.agent.name }
    return waitingOf(asking).map((each) => ({ ...each, inside }))
  })
}

function waitingOf({ of, call, path }: AskingCall): Waiting[] {
  const step = of.steps.findLast(({ calls }) => calls.includes(call))
  if (step === undefined) return []
  const place = { call, path, step: step.number, at: step.calls.indexOf(call) + 1 }
  const { approval } = call
  if (call.status === 'waiting' && approval !== undefined && approval.decided === undefined)
    return [{ kind: 'approval', ...place, askedAt: approval.askedAt }]
  return openInputsOf(call).map((input) => ({ kind: 'input', ...place, askedAt: input.askedAt, input }))
}

/** Since when a waiting call asks a person, and until when; both of what was asked first. */
export function waitOf(call: CallState): {
  readonly since: number | undefined
  readonly expiresAt: number | null
} {
  const { approval } = call
  if (approval !== undefined && approval.decided === undefined)
    return { since: approval.askedAt, expiresAt: approval.expiresAt }
  const [first] = openInputsOf(call)
  return { since: first?.askedAt, expiresAt: first?.expiresAt ?? null }
}

/** Identifies what is asked, also when a call asks more than once. */
export function keyOfWaiting(waiting: Waiting): string {
  const { path, askedAt } = waiting
  return `${path} ${askedAt}${waiting.kind === 'input' ? ` ${waiting.input.inputId}` : ''}`
}

export function sameWaiting(a: readonly Waiting[], b: readonly Waiting[]): boolean {
  return (
    a.length === b.length &&
    a.every((each, index) => {
      const other = b[index]
      return other !== undefined && each.call === other.call && keyOfWaiting(each) === keyOfWaiting(other)
    })
  )
}
