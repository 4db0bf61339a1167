/** What the conversation contains: the question, earlier questions, and the calls with results. */
import type { JsonObject } from '#lib/spec/json'
import type { CallPart, Message } from '#lib/spec/message'
import { callsOf } from '#lib/spec/message'
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

export function readTrail({ messages, tools }: Conversation): Trail {
  const at = questionAt(messages, tools.length > 0)
  const before = messages.slice(0, Math.max(at, 0))
  const done = callsIn(messages.slice(at + 1))
  return {
    question: textAt(messages, at),
    earlier: before
      .filter((each) => each.role === 'user')
      .map((each) => askedIn(each.text))
      .reverse(),
    done,
    known: [...callsIn(before), ...done],
  }
}

/**
 * The last user message. Without tools, a user message right after an observation is the hint to finish, not
 * a question.
 */
function questionAt(messages: readonly Message[], offered: boolean): number {
  let at = messages.findLastIndex((each) => each.role === 'user')
  while (!offered && at > 0 && messages[at - 1]?.role === 'tool') {
    at = messages.slice(0, at).findLastIndex((each) => each.role === 'user')
  }
  return at
}

/** Text beyond this length is probably pasted, so the rules read only the beginning. */
const longest = 4_000

function askedIn(text: string): string {
  return text.slice(0, longest)
}

function textAt(messages: readonly Message[], at: number): string {
  const message = messages[at]
  return message?.role === 'user' ? askedIn(message.text) : ''
}

function callsIn(messages: readonly Message[]): Done[] {
  const calls = new Map<string, CallPart>()
  const done: Done[] = []
  for (const message of messages) {
    if (message.role === 'assistant') for (const call of callsOf(message.parts)) calls.set(call.id, call)
    if (message.role !== 'tool') continue
    done.push({
      name: message.name,
      args: calls.get(message.callId)?.args ?? {},
      text: message.text,
      isError: message.isError,
    })
  }
  return done
}
