/** Selects the newest messages of a thread before the run that its limits allow, cut between turns. */
import { callsOf, type Message, textOf } from '#lib/spec/message'
import { pictureTokens } from '#lib/spec/picture'
import type { Limits } from '#lib/spec/policy'
import { estimateTokens } from '#lib/spec/tokens'

export type HistoryLimits = Limits['history']

export interface Window {
  readonly kept: Message[]
  readonly dropped: number
}

/** The size of a dialogue. */
export interface Weight {
  readonly messages: number
  readonly tokens: number
}

/**
 * Takes the paired messages before the question. The limits include the question, but neither it nor the
 * instructions are ever dropped. The newest messages stay, as far as both the token limit and the message
 * limit allow. An answer is kept with all its results or not at all. When the cut falls inside a turn, the
 * question that opened the turn is kept in front.
 */
export function windowOf(history: readonly Message[], question: Message, limits: HistoryLimits): Window {
  const told = limits.clearToolTurns ? withoutToolTurns(history) : history
  const room = { messages: limits.maxMessages - 1, tokens: limits.maxTokens - tokensOf(question) }
  const kept = newest(told, room)
  return { kept, dropped: history.length - kept.length }
}

/** The size that the window would count for these messages, which begin with a question. */
export function weightOf(messages: readonly Message[], { clearToolTurns }: HistoryLimits): Weight {
  const told = clearToolTurns ? withoutToolTurns(messages) : messages
  return { messages: told.length, tokens: told.reduce((sum, each) => sum + tokensOf(each), 0) }
}

/** Whether the window is full, so that no earlier message fits. */
export function isFull({ messages, tokens }: Weight, { maxMessages, maxTokens }: HistoryLimits): boolean {
  return messages >= maxMessages || tokens > maxTokens
}

function newest(history: readonly Message[], room: Weight): Message[] {
  const left = { ...room }
  let from = history.length
  for (let message = history[from - 1]; message !== undefined; message = history[from - 1]) {
    if (!fits(message, left)) break
    take(message, left, -1)
    from -= 1
  }
  if (from === 0) return [...history]
  const opener = openerOf(history, from)
  for (let message = history[from]; message !== undefined; message = history[from]) {
    if (message.role === 'user') return history.slice(from)
    // The opening question takes a place of its own. If there is none, the dialogue never had a question.
    if (message.role === 'assistant' && (opener === undefined || fits(opener, left)))
      return opener === undefined ? history.slice(from) : [opener, ...history.slice(from)]
    take(message, left, 1)
    from += 1
  }
  return []
}

function fits(message: Message, { messages, tokens }: Weight): boolean {
  return messages >= 1 && tokens >= tokensOf(message)
}

function take(message: Message, left: { messages: number; tokens: number }, sign: 1 | -1): void {
  left.messages += sign
  left.tokens += sign * tokensOf(message)
}

/** The question of the turn that contains `from`. */
function openerOf(history: readonly Message[], from: number): Message | undefined {
  for (let index = from - 1; index >= 0; index--) if (history[index]?.role === 'user') return history[index]
  return undefined
}

/** Tokens of a message in addition to its text. */
const overhead = 4

const known = new WeakMap<Message, number>()

/** A message's tokens by our estimate, including the overhead. */
export function tokensOf(message: Message): number {
  let tokens = known.get(message)
  if (tokens === undefined) {
    tokens = overhead + estimateTokens(wordsOf(message)) + shownTokens(message)
    known.set(message, tokens)
  }
  return tokens
}

/** Only a person's message shows its pictures. */
function shownTokens(message: Message): number {
  if (message.role !== 'user' || message.pictures === undefined) return 0
  return message.pictures.reduce((sum, picture) => sum + pictureTokens(picture), 0)
}

function wordsOf(message: Message): string {
  switch (message.role) {
    case 'user':
      return message.text
    case 'tool':
      return message.name + message.text
    case 'assistant':
      return message.parts
        .map((part) => {
          if (part.type === 'call') return part.name + part.rawArgs
          return part.type === 'opaque' ? JSON.stringify(part.data) : part.text
        })
        .join('')
  }
  return message satisfies never
}

/** Keeps questions and answers only. If a turn ended during its calls, its last text is its answer. */
function withoutToolTurns(messages: readonly Message[]): Message[] {
  const kept: Message[] = []
  let said: string | undefined
  const endTurn = () => {
    if (said !== undefined) kept.push({ role: 'assistant', parts: [{ type: 'text', text: said }] })
    said = undefined
  }
  for (const message of messages) {
    if (message.role === 'tool') continue
    if (message.role === 'user') {
      endTurn()
      kept.push(message)
    } else if (callsOf(message.parts).length === 0) {
      said = undefined
      kept.push(message)
    } else {
      const text = textOf(message.parts)
      if (text.trim() !== '') said = text
    }
  }
  endTurn()
  return kept
}
