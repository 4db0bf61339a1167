/**
 * Writes an answer as Anthropic's Messages API sends it: named events about content blocks, or one JSON text.
 */
import { createHash } from 'node:crypto'
import type { JsonObject } from '#lib/spec/json'
import {
  argsPieces,
  argsText,
  type Frame,
  fullUsage,
  pieces,
  type Quirk,
  type Said,
  type SaidCall,
  type Weighed,
} from './behaviour'
import { interleaved } from './openai-wire'

export interface AnthropicAnswer extends Weighed {
  readonly said: Said
  readonly quirks: ReadonlySet<Quirk>
  readonly n: number
  readonly model: string
}

const reasons = { stop: 'end_turn', calls: 'tool_use', length: 'max_tokens', filter: 'refusal' } as const

/** The signature of a thinking block: a later request must send both back unchanged. */
export function signatureOf(thinking: string): string {
  return createHash('sha256').update(`thought:${thinking}`).digest('base64')
}

/** A complete block, and the deltas that it is sent in. */
interface Written {
  readonly block: JsonObject
  readonly start: JsonObject
  readonly deltas: readonly JsonObject[]
}

export function anthropicBlocks(answer: AnthropicAnswer): JsonObject[] {
  return written(answer).map((each) => each.block)
}

function written({ said, quirks, n }: AnthropicAnswer): Written[] {
  const { reasoning = '', text = '', calls = [] } = said
  const list: Written[] = []
  if (reasoning !== '') list.push(thought(reasoning))
  if (quirks.has('redacted thinking')) list.push(whole({ type: 'redacted_thinking', data: `sealed_${n}` }))
  if (quirks.has('unknown blocks'))
    list.push(whole({ type: 'crystal_ball', ball_id: `ball_${n}`, depth: { fog: [1, 2] } }))
  if (text !== '') {
    list.push({
      block: { type: 'text', text },
      start: { type: 'text', text: '' },
      deltas: pieces(text).map((each) => ({ type: 'text_delta', text: each })),
    })
  }
  calls.forEach((call, at) => {
    list.push(writtenCall(call, idOf(call.id ?? `toolu_${n}_${at}`, quirks), quirks))
  })
  if (quirks.has('call replayed')) list.push(...list.filter((each) => each.block.type === 'tool_use'))
  return list
}

function thought(thinking: string): Written {
  const signature = signatureOf(thinking)
  return {
    block: { type: 'thinking', thinking, signature },
    start: { type: 'thinking', thinking: '', signature: '' },
    deltas: [
      ...pieces(thinking).map((each) => ({ type: 'thinking_delta', thinking: each })),
      { type: 'signature_delta', signature },
    ],
  }
}

function whole(block: JsonObject): Written {
  return { block, start: block, deltas: [] }
}

function writtenCall(call: SaidCall, id: JsonObject, quirks: ReadonlySet<Quirk>): Written {
  const { name } = call
  const args = argsText(call)
  const input = readObject(args)
  const block = { type: 'tool_use', ...id, caller: { type: 'direct' }, name, input: input ?? {} }
  if (quirks.has('input at start') && input !== undefined) return whole(block)
  const parts = quirks.has('whole args') ? [args] : argsPieces(call, quirks)
  return {
    block,
    start: { ...block, input: {} },
    // A call without arguments is sent with one empty delta.
    deltas: (args === '{}' && !quirks.has('whole args') ? [''] : ['', ...parts]).map((each) => ({
      type: 'input_json_delta',
      partial_json: each,
    })),
  }
}

function readObject(text: string): JsonObject | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function idOf(id: string, quirks: ReadonlySet<Quirk>): JsonObject {
  if (quirks.has('ids missing')) return {}
  if (quirks.has('ids empty')) return { id: '' }
  if (quirks.has('ids null')) return { id: null }
  return { id: quirks.has('ids repeated') ? 'toolu_0' : id }
}

export function anthropicFrames(answer: AnthropicAnswer): Frame[] {
  const { quirks } = answer
  const usage = usageOf(answer)
  const opened: JsonObject = usage === undefined ? {} : { usage: { ...usage, output_tokens: 1 } }
  const frames = [
    frame(answer, 'message_start', {
      message: { ...head(answer), content: [], stop_reason: null, stop_sequence: null, ...opened },
    }),
  ]
  const lists = written(answer).map((each, at) => blockFrames(answer, each, at))
  const ordered = quirks.has('interleaved') ? interleaved(lists) : lists.flat()
  const ping = frame(answer, 'ping', {})
  ordered.forEach((each, at) => {
    frames.push(each)
    if (at === 0 || quirks.has('pings between')) frames.push(ping)
  })
  if (quirks.has('unknown events'))
    frames.splice(2, 0, frame(answer, 'message_weather', { sky: 'clear', index: 0 }))
  frames.push(
    frame(
      answer,
      'message_delta',
      {
        delta: { stop_reason: stopOf(answer), stop_sequence: null },
        ...(usage === undefined ? {} : { usage: { output_tokens: usage.output_tokens } }),
      },
      { isTerminal: true },
    ),
  )
  if (!quirks.has('no done')) frames.push(frame(answer, 'message_stop', {}, { isTerminal: true }))
  return frames
}

function blockFrames(answer: AnthropicAnswer, { start, deltas }: Written, at: number): Frame[] {
  const { quirks } = answer
  const index: JsonObject = quirks.has('index missing')
    ? {}
    : { index: at + (quirks.has('index from one') ? 1 : 0) }
  return [
    frame(answer, 'content_block_start', { ...index, content_block: start }),
    ...deltas.map((delta) => frame(answer, 'content_block_delta', { ...index, delta }, { isDelta: true })),
    frame(answer, 'content_block_stop', index),
  ]
}

function stopOf({ said, quirks }: AnthropicAnswer): string {
  const {
    calls = [],
    refusal,
    finish = refusal !== undefined ? 'filter' : calls.length > 0 ? 'calls' : 'stop',
  } = said
  return finish === 'calls' && quirks.has('finish stop with calls') ? 'end_turn' : reasons[finish]
}

function usageOf(answer: AnthropicAnswer) {
  if (answer.quirks.has('usage absent')) return undefined
  const { input, output, cached = 0, cacheWritten = 0 } = fullUsage(answer.said, answer)
  return {
    input_tokens: Math.max(0, input - cached - cacheWritten),
    cache_creation_input_tokens: cacheWritten,
    cache_read_input_tokens: cached,
    output_tokens: output,
  }
}

function head({ n, model, quirks }: AnthropicAnswer): JsonObject {
  return { id: `msg_${n}`, type: 'message', role: 'assistant', model, ...strange(quirks) }
}

function strange(quirks: ReadonlySet<Quirk>): JsonObject {
  return quirks.has('unknown fields') ? { x_moon: { phase: ['new'] } } : {}
}

function frame(
  { quirks }: AnthropicAnswer,
  type: string,
  payload: JsonObject,
  { isDelta = false, isTerminal = false } = {},
): Frame {
  const data = JSON.stringify({ type, ...payload, ...strange(quirks) })
  return { ...(quirks.has('no event names') ? {} : { event: type }), data, isDelta, isTerminal }
}

export function anthropicBody(answer: AnthropicAnswer): JsonObject {
  const usage = usageOf(answer)
  return {
    ...head(answer),
    content: anthropicBlocks(answer),
    stop_reason: stopOf(answer),
    stop_sequence: null,
    ...(usage === undefined ? {} : { usage }),
  }
}
