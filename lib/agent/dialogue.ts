/** What a run leaves to the next one of its thread. */
import { type Message, textOf } from '#lib/spec/message'
import type { RunState } from '#lib/spec/state'
import { pair } from './pairing'

/** The run's question, all its complete calls with their results, and its answer, whatever the ending. */
export function messagesOf(state: RunState): Message[] {
  const messages = pair(state.messages)
  const { answer } = state
  const isSaid = (message: Message) => message.role === 'assistant' && textOf(message.parts) === answer
  if (answer === null || messages.some(isSaid)) return messages
  return [...messages, { role: 'assistant', parts: [{ type: 'text', text: answer }] }]
}
