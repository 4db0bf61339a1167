/** What a model is to the loop: it encodes a request to bytes and answers with a stream of chunks. */
import type { z } from 'zod'
import type { JsonSchema, JsonValue } from './json'
import type { InvalidCall, Message } from './message'

/** Tokens as the provider counted them; absent counts are 0. */
export interface Usage {
  input: number
  output: number
  reasoning?: number
  /** Input that the provider read from its cache. */
  cached?: number
  /** Input that the provider wrote to its cache, where it says so. */
  cacheWritten?: number
  /** The provider sent no counts: these are our own estimate from the length of the texts. */
  estimated?: boolean
}

/** US dollars for a million tokens. Without `cached` or `cacheWrite`, such input costs as much as other input. */
export interface Price {
  readonly input: number
  readonly output: number
  readonly cached?: number
  readonly cacheWrite?: number
}

/** Whether the model may, must not or must call tools, or must call the one named. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly tool: string }

/** A tool as it is sent to the model. */
export interface WireTool {
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
  /** Part of the description in formats of text; never sent as a tool. */
  readonly example?: string
  /** How a call of it is written, where the tool declares a form of its own; like `example`. */
  readonly form?: string
}

/** The output of a protocol for a model, with wire names. Unchanged messages stay the same objects. */
export interface ModelRequest {
  readonly instructions: string
  readonly messages: readonly Message[]
  /** Empty when the protocol or the step offers no tools. */
  readonly tools: readonly WireTool[]
  /** Has the tool's wire name. When absent, no choice is sent. */
  readonly toolChoice?: ToolChoice
  /** The answer must be one JSON object, as the instructions say. Providers that can enforce this do. */
  readonly json?: true
  /**
   * Asks the provider to cache the beginning of the request. The same for all requests that share a beginning.
   * The request is then laid out so that all but its hints begin the request of the next step.
   */
  readonly cacheKey?: string
  /** How many of the last messages belong to this request alone. Given with `cacheKey`. */
  readonly hints?: number
  /** The request before the protocol encoded it, for a local model that follows rules. */
  readonly plain?: Pick<ModelRequest, 'messages' | 'tools'>
  /** What the question of a tool is for; a scripted model answers by it, and no other model reads it. */
  readonly purpose?: string
  /** 1-based; a scripted model plays its turns by it. */
  readonly step: number
  readonly attempt: number
}

/** Why a model stopped by itself; `cut` when the stream ended before its terminal event. */
export type FinishReason = 'stop' | 'calls' | 'length' | 'filter' | 'cut'

/** What failed at a provider; `http` is any status without a code of its own. */
export type ModelFaultCode =
  | 'http'
  | 'auth'
  | 'quota'
  | 'rate_limit'
  | 'overloaded'
  | 'not_found'
  | 'bad_request'
  | 'context_length'
  | 'connection'
  | 'timeout'
  | 'stalled'
  | 'cut'
  | 'too_large'
  | 'protocol'
  | 'aborted'
  | 'settings'
  | 'resting'
  /** The provider refuses requests for JSON answers; the next attempt does not ask for one. */
  | 'json_refused'
  /** The provider refuses what asks it to cache; the next attempt does not ask. */
  | 'cache_refused'

/** A provider's failure as data. `message` contains no key; `status` is the HTTP status, if there was one. */
export interface ModelFault {
  readonly code: ModelFaultCode
  readonly message: string
  readonly status?: number
  /**
   * Whether the same request may succeed later: after a growing wait, or at once after a stale socket broke.
   */
  readonly retry?: 'backoff' | 'now'
  /** How long the provider asks clients to wait. */
  readonly retryAfterMs?: number
}

/** One item of a stream. `call.*` chunks are keyed by `index`, in order of first appearance. */
export type ModelChunk =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'call.start'; readonly index: number; readonly wireId?: string; readonly name: string }
  | { readonly type: 'call.args'; readonly index: number; readonly text: string }
  /** `invalid` says why the call did not come complete; its arguments are then not JSON. */
  | { readonly type: 'call.end'; readonly index: number; readonly invalid?: InvalidCall }
  | { readonly type: 'opaque'; readonly provider: string; readonly data: JsonValue }
  | { readonly type: 'finish'; readonly reason: FinishReason; readonly usage: Usage }
  | { readonly type: 'fault'; readonly fault: ModelFault }

/** A URL with the headers that a request to it needs. */
export interface ModelTarget {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * One connection to one model. `encode` is pure and returns the exact body. `stream` must not throw: every
 * failure is a `fault` chunk, and a successful stream ends with `finish`.
 */
export interface ModelClient {
  readonly provider: string
  readonly name: string
  encode(request: ModelRequest): string
  /** Whether it is sent pictures. Where it is not, a request has none. */
  readonly seesPictures?: boolean
  /** Whether the next request should have a `cacheKey`. Absent for models without a cache. */
  cachesPrompt?(): boolean
  /**
   * Where a body is sent, for a person who repeats the request by hand: the headers hold `key` in place of
   * the real key. Undefined while the provider cannot be reached; absent for models without a network.
   */
  target?(key: string): ModelTarget | undefined
  stream(body: string, signal: AbortSignal): AsyncIterable<ModelChunk>
}

/** Where and with what key this server reaches a provider: settings of the server, never of a config. */
export interface Endpoint {
  /** The provider's own id, or the name given in Settings. */
  readonly name: string
  /** With its path, without a trailing slash: `https://api.openai.com/v1`. */
  readonly baseUrl: string
  /** Absent when none is set, or when it may not go to this address; then no authorization header is sent. */
  readonly key?: string
  /** There is no key, and this is the address of a service that answers nobody without one: nothing is sent there. */
  readonly lacksKey?: true
  /** Waits in milliseconds, where the provider's own do not fit a slow local model. */
  readonly waits?: Partial<ModelWaits>
  /** The operator says that an added endpoint takes requests for caching. Services of a provider need no word. */
  readonly promptCache?: true
}

/** How long one answer may be silent. Only content ends a wait, not bytes or pings. */
export interface ModelWaits {
  readonly headersMs: number
  readonly firstContentMs: number
  readonly betweenMs: number
}

/** What a provider needs to connect. */
export interface ModelContext {
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** Read again for every request, so that a key set while a run waits is used. */
  endpoint(name: string): Endpoint | undefined
  /** The guarded web client; addresses that the operator entered pass its guard. */
  readonly fetch: typeof globalThis.fetch
  /**
   * The addresses that have refused requests for caching, kept while the server lives. Without it, each client
   * keeps its own.
   */
  readonly cacheRefusals?: Set<string>
  /** Sends a request by the same way without the classes of `fetch`, which take longer than a short answer; absent where there is only `fetch`. */
  post?(request: Posted): Promise<Incoming>
}

/** A request whose body is text. */
export interface Posted extends ModelTarget {
  readonly body: string
  /** Aborting it ends the request or its answer with the signal's reason. */
  readonly signal: AbortSignal
}

/** An answer of any status, available at its headers and read as it arrives. */
export interface Incoming {
  readonly status: number
  /** @param name in lower case */
  header(name: string): string | null
  /** Null if the answer has none. */
  readonly body: IncomingBody | null
}

export interface IncomingBody {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>
  /** Ends it where it is. */
  cancel(): Promise<void>
}

/** The result of testing a provider. */
export type Probe =
  | { readonly ok: true; readonly models: readonly string[] }
  | { readonly ok: false; readonly fault: ModelFault }

/** One vector for each text, in order; the message is one sentence. */
export type Embedded =
  | { readonly ok: true; readonly vectors: readonly (readonly number[])[] }
  | {
      readonly ok: false
      readonly message: string
      /**
       * What may be due to the texts: an answer that refuses them, or none that came in time. Absent where the
       * service reads nothing now, whatever they are.
       */
      readonly cause?: 'refused' | 'unanswered'
    }

/**
 * Shared by all runs that use one model of one provider. After repeated failures it pauses requests, then
 * lets one probe through.
 */
export interface Breaker {
  /**
   * Milliseconds to wait before a request; 0 grants a turn.
   * The turn is given back with `succeeded`, `failed` or `released`.
   */
  waitMs(): number
  /** The answer has begun; the turn continues. */
  answering(): void
  succeeded(): void
  /** Only faults of the provider count, not 4xx or invalid content. */
  failed(): void
  /** The turn ended without information about the provider, for example because the run was cancelled. */
  released(): void
}

/** What a model costs, in US dollars for a million tokens. */
export type Figures = readonly [input: number, output: number, cached?: number, cacheWrite?: number]

/** The service that a provider's models are asked at, with all that is known of it. */
export interface Service {
  /** Its address unless the operator sets another; null when a person adds the address, under a name of its own. */
  readonly baseUrl: string | null
  /** The provider whose address, key, prices and models it shares: Settings then asks for them once. */
  readonly endpoint?: string
  /** Its place in the lists of Settings, the lowest first; services without one follow. */
  readonly rank?: number
  /** The path that addresses of this API usually end with; it is suggested where an address has no path. */
  readonly usualPath?: string
  /**
   * Standard prices, by name of a model, as the service published them. A plain name stands for itself and its dated
   * snapshots (`large-2025-08-07`), not for its siblings (`large-pro`); one with a star for every name that begins so.
   */
  readonly prices?: Readonly<Record<string, Figures>>
  /** How many tokens a model takes in one request, by a glob over names; of those that fit, the longest counts. */
  readonly contextWindows?: Readonly<Record<string, number>>
  /** Whether a model sees pictures, by a glob over names; of those that fit, the longest counts. */
  readonly seesPictures?: Readonly<Record<string, boolean>>
}

/** A provider of models, one per `provider` of the config's `model`. `settings` holds every key but `provider`. */
export interface Provider<S extends z.ZodObject = z.ZodObject> {
  readonly id: string
  readonly label: string
  readonly help: string
  /** Other words that a person may search a model by. */
  readonly keywords?: readonly string[]
  readonly settings: S
  /** Absent where the model answers within this program. */
  readonly service?: Service
  /** Asks an endpoint which models it has; never throws. */
  probe?(endpoint: Endpoint, context: Pick<ModelContext, 'fetch'>, signal: AbortSignal): Promise<Probe>
  /** Gives each text a vector of its meaning, for search; absent where the service has none. Never throws. */
  embed?(
    endpoint: Endpoint,
    asked: { readonly model: string; readonly texts: readonly string[] },
    context: Pick<ModelContext, 'fetch'>,
    signal: AbortSignal,
  ): Promise<Embedded>
  connect(settings: z.output<S>, context: ModelContext): ModelClient
}
