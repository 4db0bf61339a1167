/** Writes an answer as OpenAI's Chat Completions API sends it: a list of chunks, or one JSON text. */
import type { JsonObject, JsonValue } from '#lib/spec/json'
import {
  argsPieces,
  argsText,
  type Frame,
  fullUsage,
  pieces,
  type Quirk,
  type Said,
  type Weighed,
} from './behaviour'

export interface OpenaiAnswer extends Weighed {
  readonly said: Said
  readonly quirks: ReadonlySet<Quirk>
  /** The number of the request, which makes ids unique. */
  readonly n: number
  readonly model: string
  readonly withUsage: boolean
}

const reasons = { stop: 'stop', calls: 'tool_calls', length: 'length', filter: 'content_filter' } as const

export function openaiFrames(answer: OpenaiAnswer): Frame[] {
  const { quirks } = answer
  const frames = [chunk(answer, { role: 'assistant', content: quirks.has('null content') ? null : '' })]
  if (quirks.has('empty choices')) frames.push(withoutChoices(answer, {}))
  if (quirks.has('null delta')) frames.push(chunk(answer, null))
  if (quirks.has('unknown events'))
    frames.push({ event: 'weather', data: '{"object":"weather.report","sky":"clear"}' })
  for (const delta of deltasOf(answer)) frames.push(chunk(answer, delta, { isDelta: true }))
  frames.push(...lastFrames(answer))
  return frames
}

function deltasOf({ said, quirks, n }: OpenaiAnswer): JsonObject[] {
  const { reasoning = '', text = '', refusal = '', deltaChars } = said
  const reasoningKey = quirks.has('reasoning') ? 'reasoning' : 'reasoning_content'
  const role: JsonObject = quirks.has('role in every delta') ? { role: 'assistant' } : {}
  return [
    ...pieces(reasoning, deltaChars).map(
      (each): JsonObject => ({ ...role, content: null, [reasoningKey]: each }),
    ),
    ...pieces(text, deltaChars).map((each): JsonObject => ({ ...role, content: each })),
    ...pieces(refusal).map((each): JsonObject => ({ ...role, refusal: each })),
    ...callDeltas(said, quirks, n).map((each): JsonObject => ({ ...role, ...each })),
  ]
}

function callDeltas(said: Said, quirks: ReadonlySet<Quirk>, n: number): JsonObject[] {
  const { calls = [] } = said
  if (quirks.has('legacy function_call')) {
    const [first] = calls
    if (first === undefined) return []
    return [
      { function_call: { name: first.name, arguments: '' } },
      ...pieces(argsText(first)).map((each): JsonObject => ({ function_call: { arguments: each } })),
    ]
  }
  const lists = calls.map((call, at) => {
    const base = { ...indexOf(at, quirks) }
    const id = idOf(call.id ?? `call_${n}_${at}`, quirks)
    const parts = argsPieces(call, quirks)
    const again: JsonObject = quirks.has('name repeated') ? { name: call.name } : {}
    const rest = parts.map((each): JsonObject => ({ ...base, function: { ...again, arguments: each } }))
    if (quirks.has('args as object'))
      return [
        { ...base, ...id, type: 'function', function: { name: call.name, arguments: parsed(call.args) } },
      ]
    if (quirks.has('whole args'))
      return [{ ...base, ...id, type: 'function', function: { name: call.name, arguments: argsText(call) } }]
    if (quirks.has('id first, name later'))
      return [{ ...base, ...id, type: 'function' }, { ...base, function: { name: call.name } }, ...rest]
    return [{ ...base, ...id, type: 'function', function: { name: call.name, arguments: '' } }, ...rest]
  })
  if (quirks.has('call replayed'))
    for (const list of [...lists])
      lists.push(list.map((each) => ({ ...each, ...indexOf(calls.length + lists.length, quirks) })))
  const ordered = quirks.has('interleaved') ? interleaved(lists) : lists.flat()
  return ordered.map((each) => ({ tool_calls: [each] }))
}

function parsed(args: JsonObject | string | undefined): JsonValue {
  return typeof args === 'string' ? JSON.parse(args) : (args ?? {})
}

function indexOf(at: number, quirks: ReadonlySet<Quirk>): JsonObject {
  if (quirks.has('index missing')) return {}
  if (quirks.has('index all zero')) return { index: 0 }
  return { index: quirks.has('index from one') ? at + 1 : at }
}

function idOf(id: string, quirks: ReadonlySet<Quirk>): JsonObject {
  if (quirks.has('ids missing')) return {}
  if (quirks.has('ids empty')) return { id: '' }
  if (quirks.has('ids null')) return { id: null }
  return { id: quirks.has('ids repeated') ? 'call_0' : id }
}

/** The first item of each list, then the second of each, and so on. */
export function interleaved<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map((each) => each.length))
  return Array.from({ length: longest }, (_, at) => lists.flatMap((each) => each.slice(at, at + 1))).flat()
}

function lastFrames(answer: OpenaiAnswer): Frame[] {
  const { quirks, said, withUsage } = answer
  const usage = usageOf(fullUsage(said, answer))
  const told = withUsage && !quirks.has('usage absent')
  const beside = told && quirks.has('usage beside choices')
  const last = chunk(answer, {}, { isTerminal: true, finish: finishOf(answer), ...(beside ? { usage } : {}) })
  return [
    last,
    ...(quirks.has('finish repeated') ? [last] : []),
    ...(told && !beside ? [withoutChoices(answer, { usage })] : []),
    ...(quirks.has('no done') ? [] : [{ data: '[DONE]' }]),
  ]
}

function finishOf({ said, quirks }: OpenaiAnswer): string {
  const { calls = [], finish = calls.length > 0 ? 'calls' : 'stop' } = said
  if (finish === 'calls' && quirks.has('finish stop with calls')) return 'stop'
  if (finish === 'calls' && quirks.has('legacy function_call')) return 'function_call'
  return reasons[finish]
}

function usageOf({ input, output, reasoning = 0, cached = 0 }: ReturnType<typeof fullUsage>): JsonObject {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: reasoning, audio_tokens: 0 },
  }
}

interface More {
  readonly isDelta?: boolean
  readonly isTerminal?: boolean
  readonly finish?: string
  readonly usage?: JsonObject
}

function chunk(answer: OpenaiAnswer, delta: JsonObject | null, more: More = {}): Frame {
  const { finish = null, usage, isDelta = false, isTerminal = false } = more
  const choice = { index: 0, delta, logprobs: null, finish_reason: finish, ...strange(answer.quirks) }
  const data = { ...head(answer), choices: [choice], ...usageKey(answer, usage) }
  return { data: JSON.stringify(data), isDelta, isTerminal }
}

function withoutChoices(answer: OpenaiAnswer, more: { readonly usage?: JsonObject }): Frame {
  return { data: JSON.stringify({ ...head(answer), choices: [], ...usageKey(answer, more.usage) }) }
}

function usageKey({ withUsage }: OpenaiAnswer, usage: JsonObject | undefined): JsonObject {
  if (usage !== undefined) return { usage }
  return withUsage ? { usage: null } : {}
}

function head({ n, model, quirks }: OpenaiAnswer): JsonObject {
  return {
    id: `chatcmpl-${n}`,
    object: 'chat.completion.chunk',
    created: 1_760_000_000,
    model,
    service_tier: 'default',
    system_fingerprint: 'fp_0',
    ...strange(quirks),
  }
}

function strange(quirks: ReadonlySet<Quirk>): JsonObject {
  return quirks.has('unknown fields') ? { x_moon: { phase: ['new'] }, obfuscation: 'a8' } : {}
}

export function openaiBody(answer: OpenaiAnswer): JsonObject {
  const { said, quirks, n } = answer
  const { calls = [], text = '', reasoning = '', refusal = null } = said
  const legacy = quirks.has('legacy function_call')
  const [first] = calls
  const message: JsonObject = {
    role: 'assistant',
    content: text === '' ? (quirks.has('null content') || calls.length > 0 ? null : '') : text,
    refusal,
    annotations: [],
    ...(reasoning === '' ? {} : { [quirks.has('reasoning') ? 'reasoning' : 'reasoning_content']: reasoning }),
    ...(first !== undefined && legacy
      ? { function_call: { name: first.name, arguments: argsText(first) } }
      : {}),
    ...(calls.length > 0 && !legacy ? { tool_calls: wholeCalls(said, quirks, n) } : {}),
  }
  return {
    ...head(answer),
    object: 'chat.completion',
    choices: quirks.has('empty choices')
      ? []
      : [{ index: 0, message, logprobs: null, finish_reason: finishOf(answer), ...strange(quirks) }],
    ...(quirks.has('usage absent') ? {} : { usage: usageOf(fullUsage(said, answer)) }),
  }
}

function wholeCalls({ calls = [] }: Said, quirks: ReadonlySet<Quirk>, n: number): JsonObject[] {
  const list = calls.map((call, at): JsonObject => {
    const args = quirks.has('args as object') ? parsed(call.args) : argsText(call)
    return {
      ...(quirks.has('index from one') ? { index: at + 1 } : {}),
      ...idOf(call.id ?? `call_${n}_${at}`, quirks),
      type: 'function',
      function: { name: call.name, arguments: args },
    }
  })
  return quirks.has('call replayed') ? [...list, ...list] : list
}
