/** The window on a thread's dialogue: the newest messages that a run's limits let through, cut between turns, whatever the run itself adds. */
import { callsOf, type Message, textOf } from '#lib/spec/message'
import type { Limits } from '#lib/spec/policy'
import { estimateTokens } from '#lib/spec/tokens'

export type HistoryLimits = Limits['history']

export interface Window {
  readonly kept: Message[]
  readonly dropped: number
}

/** How much of a dialogue there is. */
export interface Weight {
  readonly messages: number
  readonly tokens: number
}

/**
 * Takes the paired messages before the question; the limits count the question as well, and nothing ever drops it or
 * the instructions. The newest messages stay: as many as the tokens allow, of those as many as may be in number.
 * An answer is kept with all its results or not at all; when the cut falls inside a turn, the question that opened
 * the turn stays in front.
 */
export function windowOf(history: readonly Message[], question: Message, limits: HistoryLimits): Window {
  const told = limits.clearToolTurns ? withoutToolTurns(history) : history
  const room = { messages: limits.maxMessages - 1, tokens: limits.maxTokens - tokensOf(question) }
  const kept = newest(told, room)
  return { kept, dropped: history.length - kept.length }
}

/** What the window would count of these messages, which begin with a question. */
export function weightOf(messages: readonly Message[], { clearToolTurns }: HistoryLimits): Weight {
  const told = clearToolTurns ? withoutToolTurns(messages) : messages
  return { messages: told.length, tokens: told.reduce((sum, each) => sum + tokensOf(each), 0) }
}

/** Whether nothing before so many messages can come through. */
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
    // The opener takes a seat of its own; without one, the dialogue never had a question.
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

/** The question of the turn that `from` falls into. */
function openerOf(history: readonly Message[], from: number): Message | undefined {
  for (let index = from - 1; index >= 0; index--) if (history[index]?.role === 'user') return history[index]
  return undefined
}

/** What a message takes beside its words. */
const overhead = 4

const known = new WeakMap<Message, number>()

/** A message's tokens by our estimate, what it takes beside its words included. */
export function tokensOf(message: Message): number {
  let tokens = known.get(message)
  if (tokens === undefined) {
    tokens = overhead + estimateTokens(wordsOf(message))
    known.set(message, tokens)
  }
  return tokens
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

/** Questions and answers alone: of a turn that ended among its calls, what it said last stands for its answer. */
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
