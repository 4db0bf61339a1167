/** The run's own messages as a request holds them: repaired for the provider, with the recorded cuts. */
import type { Message } from '#lib/spec/message'
import type { RunState } from '#lib/spec/state'
import { type Cuts, cutStep, summaryMessage } from './cuts'
import { dropRepeatedWireIds, pair } from './pairing'
import { tokensOf } from './window'

export interface OwnMessages {
  /** The question first. */
  readonly messages: readonly Message[]
  /** By our own estimate. */
  readonly tokens: number
}

/**
 * `view` shows the pictures of messages, or leaves them out. The list only grows from step to step, so each message is looked at once; a new cut, or an earlier step,
 * builds it anew.
 */
export function ownMessages(
  state: RunState,
  view: (messages: readonly Message[]) => readonly Message[] = (messages) => messages,
): (count: number, cuts: Cuts) => OwnMessages {
  let list = emptyList(0)
  return (count, cuts) => {
    if (cuts.count !== list.cuts || count < list.taken) list = emptyList(cuts.count)
    if (list.taken === 0 && cuts.through > 0) {
      add(list, view(state.messages.slice(0, messagesThrough(state, 0))))
      // A summary may lose a person's words, so they are kept as they were.
      add(list, steeredThrough(state, cuts.through))
      add(list, [summaryMessage(cuts)])
      list.taken = messagesThrough(state, cuts.through)
    }
    add(list, view(cutStep(pair(state.messages.slice(list.taken, count)), cuts)))
    list.taken = count
    return list
  }
}

interface List {
  readonly messages: Message[]
  readonly seen: Set<string>
  /** How many cuts it was built with. */
  readonly cuts: number
  tokens: number
  /** How many of the run's messages are in it. */
  taken: number
}

function emptyList(cuts: number): List {
  return { messages: [], seen: new Set(), cuts, tokens: 0, taken: 0 }
}

function add(list: List, messages: readonly Message[]): void {
  for (const message of dropRepeatedWireIds(messages, list.seen)) {
    list.messages.push(message)
    list.tokens += tokensOf(message)
  }
}

/**
 * How many messages the run had at the end of this step; before the first step for 0. What a person said
 * since then belongs to the next step.
 */
function messagesThrough({ steps, messages }: RunState, step: number): number {
  const next = steps[step]
  return next === undefined ? messages.length : next.messagesBefore - (next.steered?.length ?? 0)
}

/** What a person said to the run in its steps up to this one. */
function steeredThrough({ heard = [] }: RunState, through: number): Message[] {
  const said = heard.filter(({ step }) => step <= through)
  return said.map(({ text }): Message => ({ role: 'user', text }))
}
