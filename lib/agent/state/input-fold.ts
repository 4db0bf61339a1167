/** Folds questions of calls to a person, and the replies, into the state; and reads them from it. */
import type { EventOf } from '#lib/spec/event'
import type { AskedInput } from '#lib/spec/input'
import type { CallState, RunState } from '#lib/spec/state'
import type { GivenReplies } from '#lib/spec/tool'
import { whileWaiting } from './waiting'

export function inputRequested(state: RunState, event: EventOf<'input.requested'>): RunState {
  const call = state.calls.get(event.callId)
  if (call === undefined || call.result !== undefined) return state
  return whileWaiting(state, call, event.at, () => {
    const { type: _, seq: __, step: ___, parent: ____, callId: _____, tool: ______, ...asked } = event
    const { at, key = event.inputId, refused, ...question } = asked
    const input: AskedInput = {
      ...question,
      key,
      askedAt: at,
      ...(refused !== undefined && { refused, given: { action: 'decline', text: refused, at, by: 'rule' } }),
    }
    call.inputs = [...(call.inputs ?? []), input]
    restOrGoOn(call, input)
  })
}

export function inputGiven(state: RunState, event: EventOf<'input.given'>): RunState {
  const call = state.calls.get(event.callId)
  const asked = call && openInput(call, event.inputId)
  if (call === undefined || asked === undefined) return state
  return whileWaiting(state, call, event.at, () => {
    const { action, text, values, by, at } = event
    asked.given = { action, ...(text !== undefined && { text }), ...(values && { values }), at, by }
    restOrGoOn(call, asked)
  })
}

/** A complete round lets its call rest until all its questions have replies. After that the call is due again. */
function restOrGoOn(call: CallState, changed: AskedInput): void {
  const round = roundsOf(call).at(-1)
  if (changed.round === undefined || round === undefined || !isComplete(round)) return
  if (call.status === 'running' || call.status === 'waiting')
    call.status = round.every(({ given }) => given !== undefined) ? 'due' : 'waiting'
}

/** The question with this id that has no reply yet. */
function openInput(call: CallState, inputId: string): AskedInput | undefined {
  return openInputsOf(call).find((each) => each.inputId === inputId)
}

/** The questions of the call that a person has to reply to, in order. */
export function openInputsOf({ inputs = [], result }: CallState): readonly AskedInput[] {
  return result === undefined ? inputs.filter(({ given }) => given === undefined) : []
}

/** The questions with which the body of the call has ended, by round. */
function roundsOf({ inputs = [] }: CallState): AskedInput[][] {
  const rounds: AskedInput[][] = []
  for (const each of inputs) {
    if (each.round === undefined) continue
    const same = rounds.at(-1)
    if (same?.[0]?.round?.number === each.round.number) same.push(each)
    else rounds.push([each])
  }
  return rounds
}

/** The server may have stopped between two questions of a round. */
function isComplete(round: readonly AskedInput[]): boolean {
  return round.length === round[0]?.round?.of
}

/** The number of the call's next round of questions. */
export function nextRound(call: CallState): number {
  return (roundsOf(call).at(-1)?.[0]?.round?.number ?? 0) + 1
}

/** The last round of questions that was answered as a whole, as the body reads it when it runs again. */
export function answeredOf(call: CallState): GivenReplies | undefined {
  return answeredRound(call)?.answered
}

/** The same with the number of the round. */
export function answeredRound(
  call: CallState,
): { readonly number: number; readonly answered: GivenReplies } | undefined {
  const round = roundsOf(call).findLast(
    (each) => isComplete(each) && each.every(({ given }) => given !== undefined && given.by !== 'restart'),
  )
  const [first] = round ?? []
  if (round === undefined || first?.round === undefined) return undefined
  const replies = round.flatMap(({ key, given }) => {
    if (given === undefined) return []
    const { at: _, by: __, ...reply } = given
    return [[key, reply] as const]
  })
  const { number, state } = first.round
  const answered = { ...(state !== undefined && { state }), replies: Object.fromEntries(replies) }
  return { number, answered }
}

/**
 * Questions that nobody reads the reply to any more, since their body is gone: those of a body at work, and those
 * of a round that is not complete.
 */
export function lostInputsOf(call: CallState): readonly AskedInput[] {
  return call.status === 'running' ? openInputsOf(call) : []
}
