/** What the model is sent: the request of a step as a pure projection of the state, the same bytes whenever it is made. */
import type { EventOf } from '#lib/spec/event'
import type { Message } from '#lib/spec/message'
import type { WireTool } from '#lib/spec/model'
import type { RunState, StepState } from '#lib/spec/state'
import type { RunDeps } from './deps'
import { stepCount } from './next'
import { distinct, pair, renumber } from './pairing'
import { windowOf } from './window'

export type WireDeps = Pick<RunDeps, 'model' | 'codec' | 'instructions' | 'hash'>

export interface Asking {
  readonly step: StepState
  readonly attempt: number
  /** True when the last answer was empty and is asked for once more. */
  readonly nudge: boolean
}

export interface Request {
  readonly body: string
  readonly tools: EventOf<'model.requested'>['tools']
  readonly counts: EventOf<'model.requested'>['counts']
}

export interface Wire {
  /** What the window keeps of the dialogue before the question, and how much it drops. */
  readonly window: { readonly kept: number; readonly dropped: number }
  /** Steps are asked for in their order. */
  request(asking: Asking): Request
}

/** A tool as `model.requested` names it by hash; stored once under it. */
export function toolText(wire: WireTool): string {
  return JSON.stringify(wire)
}

const nudge: Message = {
  role: 'user',
  text: 'Your last answer was empty. Answer now, in words or by calling a tool.',
}

/** Messages keep their identity from request to request, so that codec and model encode each of them once. */
export function createWire(state: RunState, { model, codec, instructions, hash }: WireDeps): Wire {
  const { kept, dropped } = windowOf(pair(state.start.history))
  const before = renumber(kept)
  const told = fill(instructions, state)
  const tools = codec.offered.map(({ name, wire }) => ({
    name,
    wireName: wire.name,
    hash: hash(toolText(wire)),
  }))
  const own = ownMessages(state)
  return {
    window: { kept: kept.length, dropped },
    request({ step, attempt, nudge: nudging }) {
      const messages = [...before, ...own(step.messagesBefore)]
      if (step.summary) messages.push(closing(step))
      if (nudging) messages.push(nudge)
      const encoded = codec.encode({ instructions: told, messages, offerTools: !step.summary })
      const offered = step.summary ? [] : tools
      return {
        body: model.encode({ ...encoded, step: step.number, attempt }),
        tools: offered,
        counts: { messages: encoded.messages.length, tools: offered.length },
      }
    },
  }
}

/** The run's own dialogue, put right for the wire. It only grows, so each message is looked at once. */
function ownMessages(state: RunState): (count: number) => readonly Message[] {
  const own: Message[] = []
  const seen = new Set<string>()
  let taken = 0
  return (count) => {
    for (const message of distinct(pair(state.messages.slice(taken, count)), seen)) own.push(message)
    taken = count
    return own
  }
}

function closing({ maxSteps }: StepState): Message {
  const limit = `You have reached the limit of ${stepCount(maxSteps)}, and no tool can be called any more.`
  return { role: 'user', text: `${limit} Answer now as well as you can with what you have found.` }
}

/** Both words in one pass, so that nothing put in is ever read again. */
function fill(instructions: string, state: RunState): string {
  return instructions.replace(/\{\{(date|name)\}\}/g, (_, word: string) =>
    word === 'date' ? new Date(state.startedAt ?? 0).toISOString().slice(0, 10) : state.start.agent.name,
  )
}
