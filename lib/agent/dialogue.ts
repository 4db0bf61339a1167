/** What a run leaves to the next one of its thread. */
import { callsOf, type Message, textOf } from '#lib/spec/message'
import type { RunState } from '#lib/spec/state'
import { hookedAnswer } from './hooked'
import { pair } from './pairing'

/** The run's question, all its complete calls with their results, and its answer, whatever the ending. */
export function messagesOf(state: RunState): Message[] {
  const messages = withoutTakenBack(pair(state.messages), state)
  const { answer } = state
  const isSaid = (message: Message) => message.role === 'assistant' && textOf(message.parts) === answer
  if (answer === null || messages.some(isSaid)) return messages
  return [...messages, { role: 'assistant', parts: [{ type: 'text', text: answer }] }]
}

/** Last words that a hook has put others in place of, or has ended the run for, are said to nobody. */
function withoutTakenBack(messages: Message[], state: RunState): Message[] {
  if (state.halted === undefined && hookedAnswer(state) === undefined) return messages
  const last = messages.at(-1)
  const isWords = last?.role === 'assistant' && callsOf(last.parts).length === 0
  return isWords ? messages.slice(0, -1) : messages
}
