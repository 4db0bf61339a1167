/** Asks people the questions of calls that have begun, and records their replies. */
import type { EventBody, RunEvent } from '#lib/spec/event'
import { type AskedInput, type InputQuestion, type InputReply, inputQuestion } from '#lib/spec/input'
import type { JsonObject, JsonValue } from '#lib/spec/json'
import type { Redact } from '#lib/spec/redact'
import type { CallState } from '#lib/spec/state'
import type { BoundTool } from '#lib/spec/toolkit'
import type { Engine } from '../engine'
import { type Hider, hiderOf } from '../observation/hide'
import { redactKeyed, redactText } from '../observation/redact'
import { runningInBackground } from '../state/background'
import { placeOf, splitPath } from '../state/inner-path'
import { lostInputsOf, nextRound, openInputsOf } from '../state/input-fold'
import type { Replied } from './decisions'
import { oneDeeper, openCallAt, peopleInside } from './inside'
import { mostQuestionsOfCall, refusalOf, tooMany } from './question-rules'
import type { AskingBody } from './running'

/** Records the questions with which a body ended. The call rests until each has a reply. */
export function* askRound(
  engine: Engine,
  { call, tool }: { readonly call: CallState; readonly tool: BoundTool },
  { questions, state }: { readonly questions: readonly InputQuestion[]; readonly state?: JsonValue },
): Generator<RunEvent, void> {
  const number = nextRound(call)
  const of = questions.length
  const hider = hiderOf(engine, tool, () => undefined)
  for (const [index, question] of questions.entries()) {
    const round = { number, of, ...(index === 0 && state !== undefined && { state }) }
    yield engine.emit({ ...requestedEvent({ call, tool, hider }, question), round })
  }
}

/** Records a question of a body at work, which goes on with the reply. */
export function* askAtWork(
  engine: Engine,
  { call, tool, question, reply }: AskingBody,
): Generator<RunEvent, void> {
  const read = inputQuestion.safeParse(question)
  if (!read.success) return reply({ action: 'decline', text: 'The question cannot be read.' })
  if ((call.inputs?.length ?? 0) >= mostQuestionsOfCall) return reply({ action: 'decline', text: tooMany })
  const requested = requestedEvent({ call, tool, hider: hiderOf(engine, tool, () => undefined) }, read.data)
  if (requested.refused === undefined) engine.asking.set(keyOf(call.id, requested.inputId), reply)
  yield engine.emit(requested)
  if (requested.refused !== undefined) reply({ action: 'decline', text: requested.refused })
}

type Requested = Extract<EventBody, { type: 'input.requested' }>

function requestedEvent(
  { call, tool, hider }: { readonly call: CallState; readonly tool: BoundTool; readonly hider: Hider },
  { inputId: key, ...question }: InputQuestion,
): Requested {
  const { inputs = [] } = call
  const isTaken = (id: string) => inputs.some((each) => each.inputId === id)
  let inputId = key
  for (let next = 2; isTaken(inputId); next++) inputId = `${key}~${next}`
  const { choices, schema, expiresAt } = question
  const refused = refusalOf(question)
  return {
    type: 'input.requested',
    callId: call.id,
    tool: tool.name,
    ...question,
    inputId,
    question: hider.text(question.question),
    ...(choices && { choices: choices.map((each) => hider.text(each)) }),
    ...(schema && { schema: hider.json(schema) }),
    ...(expiresAt !== undefined && { expiresAt: Math.max(0, Math.round(expiresAt)) }),
    ...(inputId !== key && { key }),
    ...(refused !== undefined && { refused }),
  }
}

/** Records the replies since the last time, and lets the bodies that wait for them go on. */
export function* hearReplies(engine: Engine): Generator<RunEvent, void> {
  const { state, deps, emit, asking } = engine
  for (const replied of deps.decisions?.takeReplies() ?? []) {
    const body = peopleInside(engine, replied.callId)
    if (body !== undefined) {
      body.reply(oneDeeper(replied))
      continue
    }
    const call = openCallAt(state, replied.callId)
    const asked = call && openInputsOf(call).find(({ inputId }) => inputId === replied.inputId)
    if (asked === undefined) continue
    const [outermost, rest] = splitPath(replied.callId)
    if (rest !== undefined) engine.rested.add(outermost)
    const given = givenEvent(deps, replied)
    yield emit(given)
    const key = keyOf(replied.callId, replied.inputId)
    asking.get(key)?.(replyIn(given))
    asking.delete(key)
  }
}

type Given = Extract<EventBody, { type: 'input.given' }>

/** The event of a reply, without known secrets. */
export function givenEvent({ redact }: { readonly redact?: Redact | undefined }, replied: Replied): Given {
  const { text, values, ...rest } = replied
  return {
    type: 'input.given',
    ...rest,
    ...placeOf(replied.callId),
    ...(text !== undefined && { text: redactText({ redact }, text) }),
    ...(values && { values: redactKeyed({ redact }, values as JsonObject) }), // cast: zod reads a record of JSON values
  }
}

function replyIn({ action, text, values }: Given): InputReply {
  return { action, ...(text !== undefined && { text }), ...(values && { values }) }
}

/** Closes the questions of a call that ends without their replies. */
export function* closeInputs({ emit, asking }: Pick<Engine, 'emit' | 'asking'>, call: CallState) {
  for (const { inputId } of openInputsOf(call)) {
    asking.delete(keyOf(call.id, inputId))
    yield emit(closedEvent(call, inputId, 'cancel'))
  }
}

/** Closes the questions whose bodies are gone, since the server has stopped. */
export function* closeLostInputs({ state, emit }: Engine): Generator<RunEvent, void> {
  for (const call of new Set([...(state.steps.at(-1)?.calls ?? []), ...runningInBackground(state)]))
    for (const { inputId } of lostInputsOf(call)) yield emit(closedEvent(call, inputId, 'restart'))
}

function closedEvent({ id }: CallState, inputId: string, by: 'cancel' | 'restart'): EventBody {
  return { type: 'input.given', callId: id, inputId, action: 'cancel', by }
}

function keyOf(callId: string, inputId: AskedInput['inputId']): string {
  return `${callId}\n${inputId}`
}
