/** Rebuilds the request of a step, long after it was sent. */
import type { Message } from '#lib/spec/message'
import type { RunState } from '#lib/spec/state'
import { estimateTokens } from '#lib/spec/tokens'
import { createRequestWriter, toolText, type WireDeps } from './request'
import { tokensOf } from './window'

/** The size of a request's parts, in tokens by our own estimate. */
export interface ContextWeight {
  readonly system: number
  readonly tools: number
  /** Questions and answers, of the run and of its thread before it. */
  readonly history: number
  readonly observations: number
}

export interface Rerequest {
  readonly body: string
  readonly context: ContextWeight
}

/**
 * Rebuilds the step's last request from the folded state; undefined when the step sent none.
 * The body is exact when its hash equals the `hash` of that `model.requested`.
 */
export function request(state: RunState, deps: WireDeps, number: number): Rerequest | undefined {
  const step = state.steps[number - 1]
  if (step?.request === undefined) return undefined
  const writer = createRequestWriter(state, deps)
  const { body, said, tools } = writer.request({
    step,
    attempt: step.request.attempt,
    nudge: step.nudged,
    cacheKey: step.request.cacheKey,
  })
  const offered = tools.length === 0 ? [] : writer.codec(step).offered
  return {
    body,
    context: {
      system: estimateTokens(said.instructions),
      tools: offered.reduce((sum, { wire }) => sum + estimateTokens(toolText(wire)), 0),
      history: weigh(said.messages, (message) => message.role !== 'tool'),
      observations: weigh(said.messages, (message) => message.role === 'tool'),
    },
  }
}

function weigh(messages: readonly Message[], which: (message: Message) => boolean): number {
  return messages.reduce((sum, message) => (which(message) ? sum + tokensOf(message) : sum), 0)
}
