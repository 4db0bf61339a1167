/** What a model is to the loop: it encodes a request to bytes, and answers with a stream of chunks. */
import type { z } from 'zod'
import type { JsonSchema, JsonValue } from './json'
import type { Message } from './message'

/** Tokens as the provider counted them; absent counts are 0. */
export interface Usage {
  input: number
  output: number
  reasoning?: number
  cached?: number
}

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
  /** 1-based; a scripted model plays its turns by it. */
  readonly step: number
  readonly attempt: number
}

/** Why a model stopped by its own account; `cut` when the stream ended before its terminal event. */
export type FinishReason = 'stop' | 'calls' | 'length' | 'filter' | 'cut'

/** A provider's failure as data. `status` is the HTTP status where there was one. */
export interface ModelFault {
  readonly code: 'http' | 'connection' | 'timeout' | 'cut' | 'protocol' | 'aborted' | 'settings'
  readonly message: string
  readonly status?: number
}

/** One thing a stream said. `call.*` chunks are keyed by `index`, in order of first appearance. */
export type ModelChunk =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'call.start'; readonly index: number; readonly wireId?: string; readonly name: string }
  | { readonly type: 'call.args'; readonly index: number; readonly text: string }
  | { readonly type: 'call.end'; readonly index: number }
  | { readonly type: 'opaque'; readonly provider: string; readonly data: JsonValue }
  | { readonly type: 'finish'; readonly reason: FinishReason; readonly usage: Usage }
  | { readonly type: 'fault'; readonly fault: ModelFault }

/**
 * One connection to one model. `encode` is pure and gives the exact body; `stream` must not throw:
 * every failure is a `fault` chunk, and a good stream ends with `finish`.
 */
export interface ModelClient {
  readonly provider: string
  readonly name: string
  encode(request: ModelRequest): string
  stream(body: string, signal: AbortSignal): AsyncIterable<ModelChunk>
}

/** What a provider may need to connect; keys and addresses come with the first real provider. */
export interface ModelContext {
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

/** A provider of models, one per `provider` of the config's `model`. `settings` holds every key but `provider`. */
export interface Provider<S extends z.ZodObject = z.ZodObject> {
  readonly id: string
  readonly label: string
  readonly help: string
  readonly settings: S
  connect(settings: z.output<S>, context: ModelContext): ModelClient
}
