/** Makes the one result of a call whose body has run, or that is answered from an earlier equal call. */
import type { EventBody, FinalAnswer } from '#lib/spec/event'
import type { CallState } from '#lib/spec/state'
import type { BoundTool } from '#lib/spec/toolkit'
import type { Engine } from '../engine'
import { shortenForModel } from '../observation/keep-whole'
import { observe, observeError, shownBlocks, type Whole } from '../observation/observe'
import { changedArgs } from '../state/hook-record'
import type { Ran } from './running'

/** A call's one result. */
export type Finished = Extract<EventBody, { type: 'call.finished' }>

/** Keeps an observation that is too long for the model as an artifact. */
export async function finishCall(
  { deps, toolLimits }: Engine,
  { call, tool, outcome }: Ran,
): Promise<Finished> {
  const { ended, tries, durationMs, waitedMs } = outcome
  const whole =
    ended.status === 'ok'
      ? observe(ended.blocks)
      : observeError(ended.message, ended.brokeOff ? shownBlocks(call) : [])
  const keep = async (content: string) => {
    const name = `${tool.name}-${call.id}.txt`
    try {
      return await deps.ports.artifacts.keep({ name, mediaType: 'text/plain', content })
    } catch (error) {
      deps.report?.(error)
      return undefined
    }
  }
  const { artifact, ...result } = await shortenForModel(whole, toolLimits(tool).maxChars, keep)
  return {
    type: 'call.finished',
    callId: call.id,
    name: tool.name,
    node: tool.node,
    status: ended.status,
    code: ended.code,
    result: { ...result, text: withChangeNote(call, result.text) },
    durationMs,
    ...(waitedMs > 0 && { waitedMs }),
    attempts: call.attempts + tries - 1,
    ...(artifact !== undefined && { artifact }),
    ...(ended.metadata && { metadata: ended.metadata }),
    ...(tool.ends && ended.status === 'ok' && { final: finalOf(whole) }),
  }
}

/** The whole result of a finishing call is the answer, as JSON when it was given as JSON. */
function finalOf({ blocks, text }: Whole): FinalAnswer {
  const [block] = blocks
  if (block?.type !== 'json') return { answer: text }
  return { answer: JSON.stringify(block.value, null, 2), output: block.value }
}

/** The model sees its own arguments in the dialogue, so it is told when the result came from other ones. */
function withChangeNote(call: CallState, text: string): string {
  const change = changedArgs(call)
  if (change === undefined) return text
  const { by, args } = change
  return `A ${by} changed the arguments of this call before it ran, to ${JSON.stringify(args)}\n\n${text}`
}

/** Answers a call with the result of an equal one. */
export function cachedResult(call: CallState, tool: BoundTool, from: CallState): Finished {
  return {
    type: 'call.finished',
    callId: call.id,
    name: tool.name,
    node: tool.node,
    status: 'ok',
    code: null,
    result: {
      blocks: [...(from.result?.blocks ?? [])],
      text: withChangeNote(call, from.result?.text ?? ''),
    },
    durationMs: 0,
    attempts: 0,
    cached: true,
    ...(from.metadata && { metadata: from.metadata }),
    ...(from.artifact !== undefined && { artifact: from.artifact }),
  }
}
