/**
 * Turns a behaviour into the steps of a connection. It is pure, so that a socket and a replacement
 * for `fetch` do the same.
 */
import type { JsonObject } from '#lib/spec/json'
import { type AnthropicAnswer, anthropicBody, anthropicFrames } from './anthropic-wire'
import type { Behaviour, Fault, Frame, Weighed, Wire } from './behaviour'
import { bytesOf, cutBytes, eventText, joined } from './bytes'
import { errorEvent, type Failure, failureOf } from './failures'
import { type OpenaiAnswer, openaiBody, openaiFrames } from './openai-wire'
import { type ResponsesAnswer, responsesBody, responsesFrames } from './responses-wire'

/**
 * One action of a connection after its headers. A plan that does not finish with `end`
 * keeps the connection open.
 */
export type Beat =
  | { readonly do: 'send'; readonly bytes: Uint8Array }
  | { readonly do: 'wait'; readonly ms: number }
  /** Repeated for as long as the client reads. */
  | { readonly do: 'repeat'; readonly bytes: Uint8Array; readonly everyMs: number }
  | { readonly do: 'reset' }
  | { readonly do: 'end' }

export type Plan =
  | { readonly before: 'reset' | 'silence' }
  | {
      readonly delayMs: number
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly beats: readonly Beat[]
    }

/** The facts about a request that a plan needs. */
export interface Request extends Weighed {
  readonly wire: Wire
  readonly n: number
  readonly model: string
  readonly streams: boolean
  readonly withUsage: boolean
  readonly seals: boolean
}

export function planOf(request: Request, behaviour: Behaviour): Plan {
  const { fault, delayMs = 0 } = behaviour
  if (fault !== undefined && 'before' in fault)
    return { before: fault.before === 'silence' ? 'silence' : 'reset' }
  if (fault !== undefined && 'status' in fault) return planOfFailure(failureOf(request.wire, fault))
  const beats = request.streams ? streamed(request, behaviour) : atOnce(request, behaviour)
  return { delayMs, status: 200, headers: headersOf(request, fault), beats }
}

export function planOfFailure({ status, headers, body }: Failure): Plan {
  return { delayMs: 0, status, headers, beats: [{ do: 'send', bytes: bytesOf(body) }, { do: 'end' }] }
}

function headersOf({ streams, wire, n }: Request, fault: Fault | undefined): Record<string, string> {
  const id = { [wire === 'anthropic' ? 'request-id' : 'x-request-id']: `req_${n}` }
  if (fault !== undefined && 'instead' in fault && fault.instead !== 'nothing') {
    const type = fault.instead === 'html' ? 'text/html; charset=utf-8' : 'application/json'
    return { 'content-type': type, ...id }
  }
  return { 'content-type': streams ? 'text/event-stream; charset=utf-8' : 'application/json', ...id }
}

type Answer = OpenaiAnswer & AnthropicAnswer & ResponsesAnswer

function answerOf(
  { n, model, asked, cache, tokens, withUsage, seals }: Request,
  { say = {}, quirks = [] }: Behaviour,
) {
  const answer: Answer = {
    said: say,
    quirks: new Set(quirks),
    n,
    model,
    asked,
    cache,
    ...(tokens !== undefined && { tokens }),
    withUsage,
    seals,
  }
  return answer
}

const speech: Readonly<Record<Wire, { body(answer: Answer): JsonObject; frames(answer: Answer): Frame[] }>> =
  {
    openai: { body: openaiBody, frames: openaiFrames },
    anthropic: { body: anthropicBody, frames: anthropicFrames },
    responses: { body: responsesBody, frames: responsesFrames },
  }

const page = '<!DOCTYPE html><html><head><title>Sign in</title></head><body>Please sign in.</body></html>'

function wholeText(request: Request, behaviour: Behaviour): string {
  const answer = answerOf(request, behaviour)
  const { fault } = behaviour
  if (fault !== undefined && 'instead' in fault) {
    if (fault.instead === 'html') return page
    if (fault.instead === 'nothing') return ''
    if (fault.instead === 'other json') return JSON.stringify({ detail: 'this is some other service' })
  }
  const body = speech[request.wire].body(answer)
  if (fault !== undefined && 'badLineAfter' in fault) return JSON.stringify(body).slice(0, -5)
  return JSON.stringify(body)
}

/** An answer in one piece. A fault that counts deltas applies after half of the body. */
function atOnce(request: Request, behaviour: Behaviour): Beat[] {
  const { fault, chunks = 'whole' } = behaviour
  const bytes = bytesOf(wholeText(request, behaviour))
  if (fault !== undefined && ('stallAfter' in fault || 'pingsAfter' in fault))
    return sends(bytes.subarray(0, bytes.length >> 1), behaviour)
  if (fault !== undefined && ('endAfter' in fault || 'endBefore' in fault))
    return [...sends(bytes.subarray(0, bytes.length >> 1), behaviour), { do: 'end' }]
  if (fault !== undefined && 'cutAt' in fault) return cut(bytes, fault.cutAt, { ...behaviour, chunks })
  if (fault !== undefined && ('hugeEvent' in fault || 'endless' in fault))
    return [{ do: 'repeat', bytes: bytesOf(' '.repeat(65_536)), everyMs: 0 }]
  return [...sends(bytes, behaviour), { do: 'end' }]
}

function cut(bytes: Uint8Array, at: number, behaviour: Behaviour): Beat[] {
  return [...sends(bytes.subarray(0, at), behaviour), at < bytes.length ? { do: 'reset' } : { do: 'end' }]
}

function sends(bytes: Uint8Array, { chunks = 'whole' }: Behaviour): Beat[] {
  return cutBytes(bytes, chunks).map((each) => ({ do: 'send', bytes: each }))
}

function streamed(request: Request, behaviour: Behaviour): Beat[] {
  const { fault, form = 'plain', chunks = 'whole', paceMs = 0 } = behaviour
  if (fault !== undefined && 'instead' in fault)
    return [...sends(bytesOf(wholeText(request, behaviour)), behaviour), { do: 'end' }]
  const answer = answerOf(request, behaviour)
  const all = speech[request.wire].frames(answer)
  const { frames, last } = faulty(all, fault, request.wire)
  const events = frames.map((each, index) => bytesOf(eventText(each, form, index === 0)))
  if (fault !== undefined && 'cutAt' in fault) return cut(joined(events), fault.cutAt, behaviour)
  if (paceMs === 0 && chunks !== 'events') return [...sends(joined(events), behaviour), ...last]
  const paced = events.flatMap((bytes, index): Beat[] => [
    ...sends(bytes, behaviour),
    ...(paceMs > 0 && frames[index]?.isDelta === true ? [{ do: 'wait', ms: paceMs } as const] : []),
  ])
  return [...paced, ...last]
}

interface Faulty {
  readonly frames: readonly Frame[]
  readonly last: readonly Beat[]
}

function faulty(all: readonly Frame[], fault: Fault | undefined, wire: Wire): Faulty {
  const end: readonly Beat[] = [{ do: 'end' }]
  if (fault === undefined) return { frames: all, last: end }
  if ('stallAfter' in fault) return { frames: upTo(all, fault.stallAfter), last: [] }
  if ('endAfter' in fault) return { frames: upTo(all, fault.endAfter), last: end }
  if ('pingsAfter' in fault) {
    const ping: Beat = { do: 'repeat', bytes: pingOf(wire), everyMs: fault.everyMs }
    return { frames: upTo(all, fault.pingsAfter), last: [ping] }
  }
  if ('errorAfter' in fault) {
    const error = errorEvent(wire, fault.type, fault.message)
    return { frames: [...upTo(all, fault.errorAfter), error], last: end }
  }
  if ('endBefore' in fault) {
    const at = all.findIndex((each) => each.isTerminal === true)
    return { frames: all.slice(0, at < 0 ? all.length : at), last: end }
  }
  if ('endless' in fault) {
    const kept = all.slice(
      0,
      all.findLastIndex((each) => each.isDelta === true),
    )
    const delta = eventText(deltaOf(wire, fault.endless, 'and so on, '.repeat(200)), 'plain', false)
    return { frames: kept, last: [{ do: 'repeat', bytes: bytesOf(delta.repeat(16)), everyMs: 0 }] }
  }
  if ('badLineAfter' in fault) {
    const name = wire === 'anthropic' ? { event: 'content_block_delta' } : {}
    return { frames: inserted(all, fault.badLineAfter, { ...name, data: '{"choices": [{"del' }), last: end }
  }
  if ('hugeEvent' in fault)
    return { frames: inserted(all, 1, deltaOf(wire, 'text', 'x'.repeat(fault.hugeEvent))), last: end }
  return { frames: all, last: end }
}

function inserted(all: readonly Frame[], after: number, frame: Frame): readonly Frame[] {
  const kept = upTo(all, after)
  return [...kept, frame, ...all.slice(kept.length)]
}

/** The frames up to and including this many deltas; for zero, those before the first delta. */
function upTo(all: readonly Frame[], count: number): readonly Frame[] {
  let seen = 0
  const at = all.findIndex((each) => each.isDelta === true && ++seen > count)
  return at < 0 ? all : all.slice(0, at)
}

function pingOf(wire: Wire): Uint8Array {
  return bytesOf(wire === 'anthropic' ? 'event: ping\ndata: {"type":"ping"}\n\n' : ': keep-alive\n\n')
}

function deltaOf(wire: Wire, kind: 'text' | 'args', text: string): Frame {
  if (wire === 'anthropic') {
    const delta =
      kind === 'text' ? { type: 'text_delta', text } : { type: 'input_json_delta', partial_json: text }
    return {
      event: 'content_block_delta',
      data: JSON.stringify({ type: 'content_block_delta', index: 0, delta }),
    }
  }
  if (wire === 'responses') {
    const type = kind === 'text' ? 'response.output_text.delta' : 'response.function_call_arguments.delta'
    return { event: type, data: JSON.stringify({ type, output_index: 0, delta: text }) }
  }
  const delta =
    kind === 'text' ? { content: text } : { tool_calls: [{ index: 0, function: { arguments: text } }] }
  return {
    data: JSON.stringify({
      id: 'chatcmpl-x',
      object: 'chat.completion.chunk',
      created: 1_760_000_000,
      model: 'm',
      choices: [{ index: 0, delta, finish_reason: null }],
    }),
  }
}
