/** What the conversation contains: the question, earlier questions, and the calls with results. */
import type { JsonObject } from '#lib/spec/json'
import { callsOf, type Message } from '#lib/spec/message'
import type { Conversation } from '../scripted/body'

/** A call with its observation. */
export interface Done {
  /** The wire name. */
  readonly name: string
  readonly args: JsonObject
  readonly text: string
  readonly isError: boolean
}

export interface Trail {
  readonly question: string
  /** The questions before this one, latest first. */
  readonly earlier: readonly string[]
  /** The calls since the question. */
  readonly done: readonly Done[]
  /** The calls of the whole conversation, including those of earlier questions. */
  readonly known: readonly Done[]
}

/** Text beyond this length is probably pasted, so the rules read only the beginning. */
const questionChars = 4_000

export function readTrail({ messages, tools }: Conversation): Trail {
  let at = lastQuestion(messages)
  // Without tools, a user message right after an observation is the hint to finish, not a question.
  while (tools.length === 0 && messages[at - 1]?.role === 'tool') at = lastQuestion(messages.slice(0, at))
  const [question = '', ...earlier] = messages
    .slice(0, at + 1)
    .flatMap((each) => (each.role === 'user' ? [each.text.slice(0, questionChars)] : []))
    .reverse()
  return { question, earlier, done: callsIn(messages.slice(at + 1)), known: callsIn(messages) }
}

function lastQuestion(messages: readonly Message[]): number {
  return messages.findLastIndex((each) => each.role === 'user')
}

function callsIn(messages: readonly Message[]): Done[] {
  const calls = messages.flatMap((each) => (each.role === 'assistant' ? callsOf(each.parts) : []))
  const args = new Map(calls.map((each) => [each.id, each.args]))
  return messages.flatMap((each) => {
    if (each.role !== 'tool') return []
    const { name, callId, text, isError } = each
    return [{ name, args: args.get(callId) ?? {}, text, isError }]
  })
}
