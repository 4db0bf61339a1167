/**
 * Writes an answer as OpenAI's Responses API sends it: events about output items, or one
 * response with all of them.
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

export interface ResponsesAnswer extends Weighed {
  readonly said: Said
  readonly quirks: ReadonlySet<Quirk>
  readonly n: number
  readonly model: string
  /** Whether the request asked for encrypted reasoning. */
  readonly seals: boolean
}

/** The encrypted form of reasoning: the service accepts back only what it has encrypted itself. */
export function sealOf(thought: string): string {
  return `gAAAA${createHash('sha256').update(`sealed:${thought}`).digest('base64url')}`
}

interface Piece {
  readonly type: string
  readonly payload?: JsonObject
}

/** A complete item, its announcement, and the pieces that it is sent in. */
interface Written {
  readonly item: JsonObject
  readonly start: JsonObject
  readonly pieces: readonly Piece[]
}

export function responsesItems(answer: ResponsesAnswer): JsonObject[] {
  return written(answer).map((each) => each.item)
}

function written(answer: ResponsesAnswer): Written[] {
  const { said, quirks, n } = answer
  const { reasoning = '', text = '', refusal = '', calls = [] } = said
  const list: Written[] = []
  if (reasoning !== '') list.push(thought(answer, reasoning))
  if (quirks.has('unknown blocks')) {
    const ball = { type: 'crystal_ball', ball_id: `ball_${n}`, depth: { fog: [1, 2] } }
    list.push({ item: ball, start: ball, pieces: [] })
  }
  if (text !== '' || (calls.length === 0 && refusal === '' && reasoning === ''))
    list.push(message(n, { type: 'output_text', text, annotations: [] }))
  if (refusal !== '') list.push(message(n, { type: 'refusal', refusal }))
  calls.forEach((call, at) => {
    list.push(
      writtenCall(call, { id: `fc_${n}_${at}`, ...idOf(call.id ?? `call_${n}_${at}`, quirks) }, quirks),
    )
  })
  if (quirks.has('call replayed')) list.push(...list.filter((each) => each.item.type === 'function_call'))
  return list
}

function thought({ n, seals, quirks }: ResponsesAnswer, text: string): Written {
  const isRaw = quirks.has('reasoning_content')
  const start = {
    id: `rs_${n}`,
    type: 'reasoning',
    summary: [],
    ...(seals ? { encrypted_content: '' } : {}),
  }
  const said: JsonObject = isRaw
    ? { summary: [], content: [{ type: 'reasoning_text', text }] }
    : { summary: [{ type: 'summary_text', text }] }
  const deltas = pieces(text).map(
    (delta): Piece => ({
      type: isRaw ? 'response.reasoning_text.delta' : 'response.reasoning_summary_text.delta',
      payload: { delta, ...(isRaw ? { content_index: 0 } : { summary_index: 0 }) },
    }),
  )
  return {
    item: { ...start, ...said, ...(seals ? { encrypted_content: sealOf(text) } : {}) },
    start,
    pieces: isRaw ? deltas : summaryPieces(text, deltas),
  }
}

function message(n: number, content: JsonObject): Written {
  const head = { id: `msg_${n}`, type: 'message', role: 'assistant' }
  const isRefusal = content.type === 'refusal'
  const key = isRefusal ? 'refusal' : 'text'
  const kind = isRefusal ? 'response.refusal' : 'response.output_text'
  const text = String(content[key])
  const at = { content_index: 0 }
  return {
    item: { ...head, status: 'completed', content: [content] },
    start: { ...head, status: 'in_progress', content: [] },
    pieces: [
      { type: 'response.content_part.added', payload: { ...at, part: { ...content, [key]: '' } } },
      ...pieces(text).map((delta): Piece => ({ type: `${kind}.delta`, payload: { ...at, delta } })),
      { type: `${kind}.done`, payload: { ...at, [key]: text } },
      { type: 'response.content_part.done', payload: { ...at, part: content } },
    ],
  }
}

/** One paragraph, opened and closed as the service does it. */
function summaryPieces(text: string, deltas: readonly Piece[]): Piece[] {
  const at = { summary_index: 0 }
  const part = { type: 'summary_text', text }
  return [
    { type: 'response.reasoning_summary_part.added', payload: { ...at, part: { ...part, text: '' } } },
    ...deltas,
    { type: 'response.reasoning_summary_text.done', payload: { ...at, text } },
    { type: 'response.reasoning_summary_part.done', payload: { ...at, part } },
  ]
}

function writtenCall(call: SaidCall, ids: JsonObject, quirks: ReadonlySet<Quirk>): Written {
  const head = { ...ids, type: 'function_call', name: call.name }
  const args = argsText(call)
  const parts = quirks.has('whole args') ? [] : argsPieces(call, quirks)
  const isObject = quirks.has('args as object') && typeof call.args !== 'string'
  return {
    item: { ...head, status: 'completed', arguments: isObject ? (call.args ?? {}) : args },
    start: { ...head, status: 'in_progress', arguments: '' },
    pieces: isObject
      ? []
      : [
          ...parts.map(
            (delta): Piece => ({
              type: 'response.function_call_arguments.delta',
              payload: { delta },
            }),
          ),
          {
            type: 'response.function_call_arguments.done',
            payload: { name: call.name, arguments: args },
          },
        ],
  }
}

function idOf(id: string, quirks: ReadonlySet<Quirk>): JsonObject {
  if (quirks.has('ids missing')) return {}
  if (quirks.has('ids empty')) return { call_id: '' }
  if (quirks.has('ids null')) return { call_id: null }
  return { call_id: quirks.has('ids repeated') ? 'call_0' : id }
}

export function responsesFrames(answer: ResponsesAnswer): Frame[] {
  const { quirks } = answer
  const open = { response: { ...head(answer), status: 'in_progress', output: [], usage: null } }
  const lists = written(answer).map((each, at) => itemFrames(answer, each, at))
  const ordered = quirks.has('interleaved') ? interleaved(lists) : lists.flat()
  const { status, ...rest } = endOf(answer)
  const frames = [
    frame(answer, 'response.created', open),
    frame(answer, 'response.in_progress', open),
    ...(quirks.has('unknown events') ? [frame(answer, 'response.weather', { sky: 'clear' })] : []),
    ...ordered,
    frame(
      answer,
      `response.${status}`,
      { response: { ...head(answer), status, output: responsesItems(answer), ...rest } },
      { isTerminal: true },
    ),
  ]
  return frames.map((each, at) => numbered(each, at))
}

function numbered(each: Frame, at: number): Frame {
  return { ...each, data: each.data.replace(/\}$/, `,"sequence_number":${at}}`) }
}

function itemFrames(answer: ResponsesAnswer, { item, start, pieces: parts }: Written, at: number): Frame[] {
  const { quirks } = answer
  const place = {
    ...(quirks.has('index missing') ? {} : { output_index: at + (quirks.has('index from one') ? 1 : 0) }),
  }
  const id: JsonObject = typeof item.id === 'string' ? { item_id: item.id } : {}
  return [
    // The announcement of a call contains its name, as the first delta of the other wires does.
    frame(
      answer,
      'response.output_item.added',
      { ...place, item: start },
      { isDelta: item.type === 'function_call' },
    ),
    ...parts.map(({ type, payload = {} }) =>
      frame(answer, type, { ...place, ...id, ...payload }, { isDelta: 'delta' in payload }),
    ),
    frame(answer, 'response.output_item.done', { ...place, item }),
  ]
}

function endOf(answer: ResponsesAnswer): JsonObject & { status: string } {
  const { said, quirks } = answer
  const usage: JsonObject = quirks.has('usage absent') ? {} : { usage: usageOf(fullUsage(said, answer)) }
  const { finish } = said
  if (finish !== 'length' && finish !== 'filter')
    return { status: 'completed', incomplete_details: null, ...usage }
  const reason = finish === 'length' ? 'max_output_tokens' : 'content_filter'
  return { status: 'incomplete', incomplete_details: { reason }, ...usage }
}

function usageOf({ input, output, reasoning = 0, cached = 0 }: ReturnType<typeof fullUsage>): JsonObject {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  }
}

function head({ n, model, quirks }: ResponsesAnswer): JsonObject {
  return {
    id: `resp_${n}`,
    object: 'response',
    created_at: 1_760_000_000,
    model,
    error: null,
    store: false,
    ...strange(quirks),
  }
}

function strange(quirks: ReadonlySet<Quirk>): JsonObject {
  return quirks.has('unknown fields') ? { x_moon: { phase: ['new'] }, obfuscation: 'a8' } : {}
}

function frame(
  { quirks }: ResponsesAnswer,
  type: string,
  payload: JsonObject,
  { isDelta = false, isTerminal = false } = {},
): Frame {
  const data = JSON.stringify({ type, ...payload, ...strange(quirks) })
  return { ...(quirks.has('no event names') ? {} : { event: type }), data, isDelta, isTerminal }
}

export function responsesBody(answer: ResponsesAnswer): JsonObject {
  const { status, ...rest } = endOf(answer)
  return { ...head(answer), status, output: responsesItems(answer), ...rest }
}
