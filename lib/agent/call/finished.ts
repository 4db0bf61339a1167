/** Makes the one result of a call whose body has run, or that is answered from an earlier equal call. */
import type { EventBody } from '#lib/spec/event'
import type { JsonSchema } from '#lib/spec/json'
import type { CallState } from '#lib/spec/state'
import { finishName } from '#lib/spec/tool'
import type { BoundTool } from '#lib/spec/toolkit'
import type { Engine } from '../engine'
import { shortenForModel } from '../observation/keep-whole'
import { observe, observeError, shownBlocks, type Whole } from '../observation/observe'
import { readOutput } from '../request/output'
import { changedArgs } from '../state/hook-record'
import type { EndedWithResult, Ran } from './running'

/** A call's one result. */
export type Finished = Extract<EventBody, { type: 'call.finished' }>

/** Keeps an observation that is too long for the model as an artifact. */
export async function finishCall(
  { deps, limits, toolLimits }: Engine,
  { call, tool, outcome }: Ran,
  ended: EndedWithResult,
): Promise<Finished> {
  const { tries, durationMs, waitedMs } = outcome
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
  const final = tool.ends && ended.status === 'ok' ? finalOf(whole, tool, limits.output) : undefined
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
    ...(ended.note !== undefined && { note: ended.note }),
    ...(final && { final }),
  }
}

/**
 * The run's answer from the call that ends it: the whole result, as JSON when it was given as JSON. The
 * arguments of `finish` fit the output schema already. The result of another tool may not fit it; then the call
 * ends nothing, and the model goes on.
 */
function finalOf({ blocks, text }: Whole, { name }: BoundTool, schema: JsonSchema | undefined) {
  const [block] = blocks
  const value = block?.type === 'json' ? block.value : undefined
  const answer = value === undefined ? text : JSON.stringify(value, null, 2)
  if (name === finishName) return { answer, ...(value !== undefined && { output: value }) }
  if (schema === undefined) return { answer }
  const read = readOutput(answer, schema)
  return read.ok ? { answer, output: read.value } : undefined
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
    ...(from.note !== undefined && { note: from.note }),
    ...(from.artifact !== undefined && { artifact: from.artifact }),
  }
}
