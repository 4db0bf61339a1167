/** What a model is to the loop: it encodes a request to bytes, and answers with a stream of chunks. */
import type { z } from 'zod'
import type { JsonSchema, JsonValue } from './json'
import type { InvalidCall, Message } from './message'

/** Tokens as the provider counted them; absent counts are 0. */
export interface Usage {
  input: number
  output: number
  reasoning?: number
  cached?: number
  /** The provider told none: these are our own count, by the length of the texts. */
  estimated?: boolean
}

/** US dollars for a million tokens; cached input costs as other input unless said. */
export interface Price {
  readonly input: number
  readonly output: number
  readonly cached?: number
}

/** Whether the model may, must not or must call tools, or must call the one named. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly tool: string }

/** A tool as it goes to the model. */
export interface WireTool {
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
}

/** What a protocol hands a model. Messages already carry wire names; unchanged messages keep their identity from step to step. */
export interface ModelRequest {
  readonly instructions: string
  readonly messages: readonly Message[]
  /** Empty when the protocol or the step offers none. */
  readonly tools: readonly WireTool[]
  /** Names the tool as it is on the wire; absent is not sent. */
  readonly toolChoice?: ToolChoice
  /** The answer is to be one JSON object, as the instructions say: providers that can be held to it are. */
  readonly json?: true
  /** The same before the protocol put it into its own form: for a model that is no service and plays by rules. */
  readonly plain?: Pick<ModelRequest, 'messages' | 'tools'>
  /** 1-based; a scripted model plays its turns by it. */
  readonly step: number
  readonly attempt: number
}

/** Why a model stopped by its own account; `cut` when the stream ended before its terminal event. */
export type FinishReason = 'stop' | 'calls' | 'length' | 'filter' | 'cut'

/** What went wrong with a provider; `http` is any status that no other code names. */
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
  /** It takes no request for an answer in JSON: the next attempt asks for none. */
  | 'json_refused'

/** A provider's failure as data. `message` holds no key; `status` is the HTTP status where there was one. */
export interface ModelFault {
  readonly code: ModelFaultCode
  readonly message: string
  readonly status?: number
  /** Whether the same request may do better later: after a growing wait, or at once, since only a stale socket broke. */
  readonly retry?: 'backoff' | 'now'
  /** How long the provider asks to be left alone. */
  readonly retryAfterMs?: number
}

/** One thing a stream said. `call.*` chunks are keyed by `index`, in order of first appearance. */
export type ModelChunk =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'call.start'; readonly index: number; readonly wireId?: string; readonly name: string }
  | { readonly type: 'call.args'; readonly index: number; readonly text: string }
  /** `invalid` when the call did not come whole, and why: its arguments are then no JSON. */
  | { readonly type: 'call.end'; readonly index: number; readonly invalid?: InvalidCall }
  | { readonly type: 'opaque'; readonly provider: string; readonly data: JsonValue }
  | { readonly type: 'finish'; readonly reason: FinishReason; readonly usage: Usage }
  | { readonly type: 'fault'; readonly fault: ModelFault }

/** An address with the headers that a request needs there. */
export interface ModelTarget {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * One connection to one model. `encode` is pure and gives the exact body; `stream` must not throw:
 * every failure is a `fault` chunk, and a good stream ends with `finish`.
 */
export interface ModelClient {
  readonly provider: string
  readonly name: string
  encode(request: ModelRequest): string
  /**
   * Where a body goes, for whoever sends it again by hand: `key` stands in the headers in place of the real one.
   * Undefined while the provider can not be asked; absent where nothing goes over the wire.
   */
  target?(key: string): ModelTarget | undefined
  stream(body: string, signal: AbortSignal): AsyncIterable<ModelChunk>
}

/** Where a provider is reached on this server, and with what: settings of the server, never of a config. */
export interface Endpoint {
  /** `openai`, `anthropic`, or the name given in Settings. */
  readonly name: string
  /** With its path and without a slash at the end: `https://api.openai.com/v1`. */
  readonly baseUrl: string
  /** Absent when none is set, or when it may not go to this address: then no authorization is sent. */
  readonly key?: string
  /** Waits in milliseconds, where the provider's own do not fit a slow local model. */
  readonly waits?: Partial<ModelWaits>
}

/** How long one answer may stay silent; only content ends a wait, not bytes or pings. */
export interface ModelWaits {
  readonly headersMs: number
  readonly firstContentMs: number
  readonly betweenMs: number
}

/** What a provider needs to connect. */
export interface ModelContext {
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** Read anew for every request, so that a key set while a run waits is used. */
  endpoint(name: string): Endpoint | undefined
  /** The outbound client; addresses the operator entered pass its guard. */
  readonly fetch: typeof globalThis.fetch
}

/** What a provider says when it is tried. */
export type Probe =
  | { readonly ok: true; readonly models: readonly string[] }
  | { readonly ok: false; readonly fault: ModelFault }

/** Shared by all runs that ask one model of one provider: after failures in a row nobody asks it for a while. */
export interface Breaker {
  /** Milliseconds to wait before asking; 0 grants a turn, which `succeeded`, `failed` or `released` gives back. */
  waitMs(): number
  /** The answer has begun; the turn goes on. */
  answering(): void
  succeeded(): void
  /** Only faults of the provider count: not 4xx, not bad content. */
  failed(): void
  /** The turn ended without telling anything of the provider, as when a run is cancelled. */
  released(): void
}

/** A provider of models, one per `provider` of the config's `model`. `settings` holds every key but `provider`. */
export interface Provider<S extends z.ZodObject = z.ZodObject> {
  readonly id: string
  readonly label: string
  readonly help: string
  readonly settings: S
  /**
   * Providers that are a service: their address unless the operator says another; null when one must be given.
   * `endpoint` names the provider whose address and key it shares, so that Settings asks for them once.
   */
  readonly service?: { readonly baseUrl: string | null; readonly endpoint?: string }
  /** Asks an endpoint which models it has; never throws. */
  probe?(endpoint: Endpoint, context: Pick<ModelContext, 'fetch'>, signal: AbortSignal): Promise<Probe>
  connect(settings: z.output<S>, context: ModelContext): ModelClient
}
