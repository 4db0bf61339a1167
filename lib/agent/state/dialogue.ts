/** The messages that a run leaves to the next run of its thread. */
import { callsOf, type Message, type Part, textOf } from '#lib/spec/message'
import type { RunState } from '#lib/spec/state'
import { pair } from '../request/pairing'
import { unreadNotes } from './background'
import { hookedAnswer } from './hook-record'

/** The run's question, all its complete calls with their results, and its answer, however the run ended. */
export function messagesOf(state: RunState): Message[] {
  return [...saidIn(state), ...unreadNotes(state)]
}

function saidIn(state: RunState): Message[] {
  const messages = withoutTakenBack(pair(joinContinuedAnswers(state)), state)
  const { answer, interrupted } = state
  if (interrupted !== undefined) return withReply(messages, interrupted.reply)
  const isSaid = (message: Message) => message.role === 'assistant' && textOf(message.parts) === answer
  if (answer === null || messages.some(isSaid)) return messages
  return [...messages, { role: 'assistant', parts: [{ type: 'text', text: answer }] }]
}

/** The agent's reply to a cancel, joined to text that the cancel cut off. */
function withReply(messages: Message[], reply: string): Message[] {
  const last = messages.at(-1)
  const text: Part = { type: 'text', text: reply }
  if (last?.role !== 'assistant') return [...messages, { role: 'assistant', parts: [text] }]
  const after: Part = textOf(last.parts) === '' ? text : { type: 'text', text: `\n\n${reply}` }
  return [...messages.slice(0, -1), { role: 'assistant', parts: joinParts(last.parts, [after]) }]
}

/** Joins a continued answer into one message and leaves out the request to continue. */
function joinContinuedAnswers({ messages, steps }: RunState): readonly Message[] {
  const asked = new Set(
    steps.flatMap(({ before, messagesBefore }) => (before === undefined ? [] : [messagesBefore - 1])),
  )
  if (asked.size === 0) return messages
  const whole: Message[] = []
  for (const [index, message] of messages.entries()) {
    if (asked.has(index)) continue
    const last = whole.at(-1)
    if (asked.has(index - 1) && last?.role === 'assistant' && message.role === 'assistant')
      whole[whole.length - 1] = { role: 'assistant', parts: joinParts(last.parts, message.parts) }
    else whole.push(message)
  }
  return whole
}

/** Joins text that was cut off and the text that continues it. */
function joinParts(before: readonly Part[], after: readonly Part[]): Part[] {
  const last = before.at(-1)
  const [first, ...rest] = after
  if (last?.type !== 'text' || first?.type !== 'text') return [...before, ...after]
  return [...before.slice(0, -1), { type: 'text', text: last.text + first.text }, ...rest]
}

/**
 * Leaves out last words that a hook replaced or ended the run for, and the call that gave them.
 * Nobody was shown them.
 */
function withoutTakenBack(messages: Message[], state: RunState): Message[] {
  if (state.halted === undefined && hookedAnswer(state) === undefined) return messages
  const last = messages.at(-1)
  const isWords = last?.role === 'assistant' && callsOf(last.parts).length === 0
  const kept = isWords ? messages.slice(0, -1) : messages
  const step = state.steps.at(-1)
  if (step?.final === undefined) return kept
  const ending = new Set(step.calls.flatMap(({ id, ends }) => (ends ? [id] : [])))
  return kept.flatMap((message) => withoutCalls(message, ending))
}

function withoutCalls(message: Message, ids: ReadonlySet<string>): Message[] {
  if (message.role === 'tool') return ids.has(message.callId) ? [] : [message]
  if (message.role !== 'assistant') return [message]
  const parts = message.parts.filter((part) => part.type !== 'call' || !ids.has(part.id))
  if (parts.length === message.parts.length) return [message]
  return parts.some(({ type }) => type === 'call' || type === 'text') ? [{ role: 'assistant', parts }] : []
}
