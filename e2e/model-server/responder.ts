/**
 * The model server without its sockets: records every request, rejects what the services would reject, and
 * plans the other answers.
 */

import { demo } from '#lib/models/demo/demo'
import type { JsonObject } from '#lib/spec/json'
import { anthropicBlocks } from './anthropic-wire'
import type { Behaviour, CacheCount, Said, Wire } from './behaviour'
import { conversationOf } from './conversation'
import { embeddingsOf } from './embeddings'
import { failureOf, refusedBy } from './failures'
import { type Plan, planOf, planOfFailure, type Request } from './plan'
import { createPromptCache } from './prompt-cache'
import { isObject, type Refusal } from './refusal'
import { refusalOfAnthropic } from './refusal-anthropic'
import { refusalOfOpenai, type Service } from './refusal-openai'
import { refusalOfResponses } from './refusal-responses'
import { responsesItems } from './responses-wire'
import { overWindow, windowTokens } from './window'

/** One recorded request. */
export interface Asked {
  /** 1, 2, 3 … over all wires; requests for the list of models do not count. */
  readonly n: number
  /** Milliseconds of the process's monotonic clock. */
  readonly at: number
  readonly wire: Wire
  readonly path: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The original body, and its value if it is a JSON object. */
  readonly text: string
  readonly body: JsonObject
  /** Why the service would reject the request, as this server did. */
  readonly refusal?: Refusal
  /** The tokens of the request by this server's own count; only with a context window. */
  readonly tokens?: number
  /** Whether the request was refused because it is longer than the context window. */
  readonly isTooLong: boolean
  /** What this server's cache held of the request, by its own count. */
  readonly cache: CacheCount
}

export interface ResponderOptions {
  /**
   * `demo` answers by simple rules; a list is played once, in order; a function is called for each request.
   */
  readonly behaviour?: 'demo' | readonly Behaviour[] | ((asked: Asked, n: number) => Behaviour)
  /** Requests without this key are rejected; by default any key or none is accepted. */
  readonly key?: string
  readonly models?: readonly string[]
  /** The tokens that the model takes in one request; by default any number. */
  readonly contextWindow?: number
  /** How strict the Chat Completions wire is; `any` by default. */
  readonly service?: Service
  /** Called with each chat request before it is answered. */
  readonly onRequest?: (asked: Asked) => void
}

export interface Incoming {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** Whether the connection has served a request before. */
  readonly isReused: boolean
}

export interface Responder {
  /** Chat requests in the order of their arrival. */
  readonly requests: readonly Asked[]
  answer(incoming: Incoming): Plan
}

const paths: Readonly<Record<string, Wire>> = {
  '/v1/chat/completions': 'openai',
  '/v1/messages': 'anthropic',
  '/v1/responses': 'responses',
}
const overSaid: Behaviour = { say: { text: 'There is nothing more to say.' } }

export function createResponder(options: ResponderOptions = {}): Responder {
  const { behaviour = [], key, models = ['model-large', 'model-small'], service, contextWindow } = options
  const requests: Asked[] = []
  const sent = new Map<string, readonly JsonObject[]>()
  const promptCache = createPromptCache()
  // A request on a stale connection never reaches the service, so it does not use up an item of the list.
  let staled = 0

  const behaviourOf = (asked: Asked): Behaviour => {
    if (behaviour === 'demo') return { say: demoSays(asked) }
    if (typeof behaviour === 'function') return behaviour(asked, asked.n)
    return behaviour[asked.n - 1 - staled] ?? overSaid
  }

  const chat = (wire: Wire, { path, headers, text, isReused }: Incoming): Plan => {
    const body = readObject(text)
    const refusal = {
      openai: () => refusalOfOpenai(body, service),
      anthropic: () => refusalOfAnthropic(body, { sent, version: headers['anthropic-version'] }),
      responses: () => refusalOfResponses(body, sent),
    }[wire]()
    const tokens = contextWindow === undefined ? undefined : windowTokens(wire, body ?? {})
    const tooLong = refusal === undefined ? overWindow(wire, tokens, contextWindow) : undefined
    const refused = refusal ?? tooLong
    const asked: Asked = {
      n: requests.length + 1,
      at: performance.now(),
      wire,
      path,
      headers,
      text,
      body: body ?? {},
      cache:
        refused === undefined ? promptCache.count(wire, body ?? {}) : { tokens: 0, cached: 0, written: 0 },
      ...(tokens !== undefined && { tokens }),
      isTooLong: tooLong !== undefined,
      ...(refusal === undefined ? {} : { refusal }),
    }
    requests.push(asked)
    options.onRequest?.(asked)
    if (refused !== undefined) return planOfFailure(refusedBy(wire, refused))
    let due = behaviourOf(asked)
    if (due.fault !== undefined && 'before' in due.fault && due.fault.before === 'stale') {
      if (isReused) {
        staled += 1
        return { before: 'reset' }
      }
      const { fault: _, ...rest } = due
      due = rest
    }
    const request = requestOf(asked)
    remember(sent, request, due)
    return planOf(request, due)
  }

  const vectors = ({ text }: Incoming): Plan => {
    const answer = embeddingsOf(readObject(text))
    if (answer === undefined) return planOfFailure(failureOf('openai', { status: 400 }))
    return planOfFailure({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(answer),
    })
  }

  return {
    requests,
    answer(incoming) {
      const [path = ''] = incoming.path.split('?')
      const wire = paths[path] ?? ('anthropic-version' in incoming.headers ? 'anthropic' : 'openai')
      if (key !== undefined && keyIn(incoming.headers) !== key)
        return planOfFailure(failureOf(wire, { status: 401 }))
      if (incoming.method === 'GET' && path === '/v1/models') return planOfFailure(modelList(wire, models))
      if (incoming.method === 'POST' && path in paths) return chat(wire, incoming)
      if (incoming.method === 'POST' && path === '/v1/embeddings') return vectors(incoming)
      return planOfFailure(failureOf(wire, { status: 404 }))
    },
  }
}

function keyIn(headers: Readonly<Record<string, string>>): string | undefined {
  return headers['x-api-key'] ?? /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1]
}

function modelList(wire: Wire, models: readonly string[]) {
  const data =
    wire === 'anthropic'
      ? models.map((id) => ({ type: 'model', id, display_name: id, created_at: '2026-01-01T00:00:00Z' }))
      : models.map((id) => ({ id, object: 'model', created: 1_760_000_000, owned_by: 'library' }))
  const body =
    wire === 'anthropic'
      ? { data, has_more: false, first_id: models[0] ?? null, last_id: models.at(-1) ?? null }
      : { object: 'list', data }
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

function readObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The facts about a request that a plan needs. */
export function requestOf({ wire, n, text, body, cache, tokens }: Asked): Request {
  const { model, stream, stream_options: options, include } = body
  return {
    wire,
    n,
    model: typeof model === 'string' ? model : '',
    asked: text,
    cache,
    ...(tokens !== undefined && { tokens }),
    streams: stream === true,
    withUsage: isObject(options) && options.include_usage === true,
    seals: Array.isArray(include) && include.includes('reasoning.encrypted_content'),
  }
}

/**
 * Records what a later request must send back with each call: reasoning and special blocks of the service.
 */
function remember(
  sent: Map<string, readonly JsonObject[]>,
  request: Request,
  { say = {}, quirks = [] }: Behaviour,
) {
  const answer = { ...request, said: say, quirks: new Set(quirks) }
  if (request.wire === 'responses') {
    const items = responsesItems(answer)
    const due = items.filter(({ type }) => type === 'crystal_ball' || (type === 'reasoning' && request.seals))
    for (const { type, call_id: id } of items)
      if (type === 'function_call' && typeof id === 'string') sent.set(id, due)
  }
  if (request.wire !== 'anthropic') return
  const blocks = anthropicBlocks(answer)
  const due = blocks.filter((each) => each.type !== 'text' && each.type !== 'tool_use')
  for (const { type, id } of blocks) if (type === 'tool_use' && typeof id === 'string') sent.set(id, due)
}

function demoSays({ wire, body }: Asked): Said {
  const { text, reasoning, calls } = demo(conversationOf(wire, body))
  return {
    ...(text === undefined ? {} : { text }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(calls === undefined ? {} : { calls }),
  }
}
