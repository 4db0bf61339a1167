/** Rebuilds the request of a step, long after it was sent. */
import type { Message } from '#lib/spec/message'
import type { Picture } from '#lib/spec/picture'
import type { RunState } from '#lib/spec/state'
import { estimateTokens } from '#lib/spec/tokens'
import type { PictureData } from './pictures'
import { createRequestWriter, toolText, type WireDeps } from './request'
import { serverTextsIn } from './server-texts'
import { skillLinesIn } from './skill-lines'
import { tokensOf } from './window'

/** The size of a request's parts, in tokens by our own estimate. */
export interface ContextWeight {
  /** The instructions, without the texts of MCP servers and the skills. */
  readonly system: number
  /** Texts of MCP servers in the instructions; absent when there are none. */
  readonly servers?: number
  /** The skills in the instructions; absent when there are none. */
  readonly skills?: number
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
 * `pictures` has the files of `requestPictures`.
 * The body is exact when its hash equals the `hash` of that `model.requested`.
 */
export function request(
  state: RunState,
  deps: WireDeps,
  number: number,
  pictures: PictureData = new Map(),
): Rerequest | undefined {
  const step = state.steps[number - 1]
  if (step?.request === undefined) return undefined
  const writer = createRequestWriter(state, deps)
  const { attempt, cacheKey } = step.request
  const { body, said, tools } = writer.request({ step, attempt, nudge: step.nudged, cacheKey, pictures })
  const offered = tools.length === 0 ? [] : writer.codec(step).offered
  const lines = skillLinesIn(state)
  const told = said.instructions.replace(lines, '')
  const skills = estimateTokens(said.instructions) - estimateTokens(told)
  const system = estimateTokens(told.replace(serverTextsIn(state), ''))
  const servers = estimateTokens(told) - system
  return {
    body,
    context: {
      system,
      ...(servers > 0 && { servers }),
      ...(skills > 0 && { skills }),
      tools: offered.reduce((sum, { wire }) => sum + estimateTokens(toolText(wire)), 0),
      history: weigh(said.messages, (message) => message.role !== 'tool'),
      observations: weigh(said.messages, (message) => message.role === 'tool'),
    },
  }
}

/** The pictures that the step's last request shows. */
export function requestPictures(state: RunState, deps: WireDeps, number: number): readonly Picture[] {
  const step = state.steps[number - 1]
  if (step?.request === undefined) return []
  return createRequestWriter(state, deps).pictures({ step, attempt: step.request.attempt })
}

function weigh(messages: readonly Message[], which: (message: Message) => boolean): number {
  return messages.reduce((sum, message) => (which(message) ? sum + tokensOf(message) : sum), 0)
}
