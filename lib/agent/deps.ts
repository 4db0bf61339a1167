/** What a run needs from outside: composed by the server or the command line, never looked up. */
import type { HookPort } from '#lib/spec/hook'
import type { JsonSchema } from '#lib/spec/json'
import type { Breaker, ModelClient, Price } from '#lib/spec/model'
import type { BoundPolicy } from '#lib/spec/policy'
import type { Codec } from '#lib/spec/protocol'
import type { ToolPorts } from '#lib/spec/tool'
import type { BoundTool } from '#lib/spec/toolkit'
import type { Turns } from '#lib/spec/turns'
import type { Decisions } from './call/decisions'

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Milliseconds from any fixed point; never goes back. */
  monotonic(): number
  /** Ends early, by whatever means, when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

/** How a failed request to the model is made again. */
export interface ModelRetry {
  /** Tries after the first. */
  readonly max: number
  /** The wait before the first of them; it doubles, and a random part of it is taken. */
  readonly baseMs: number
  readonly capMs: number
  /** When the provider asks for a longer wait than this, the run ends and says so. */
  readonly longestHintMs: number
}

export const defaultModelRetry: ModelRetry = {
  max: 3,
  baseMs: 1_000,
  capMs: 30_000,
  longestHintMs: 60_000,
}

export interface RunDeps {
  readonly model: ModelClient
  /** Opened over exactly `offer(tools, policies).offered`. */
  readonly codec: Codec
  /** Every tool of the config in the order offered, also those that the policies withhold. */
  readonly tools: readonly BoundTool[]
  readonly policies: readonly BoundPolicy[]
  /** As the config has them; `{{date}}` and `{{name}}` are replaced by the run. */
  readonly instructions: string
  /** Said before each further step; nothing when empty. */
  readonly nextStepPrompt?: string
  /** What the run's answer has to fit, as a JSON Schema; any words will do without it. */
  readonly output?: JsonSchema
  readonly ports: ToolPorts
  readonly clock: Clock
  /** SHA-256 as hex. */
  hash(text: string): string
  /** Resolves when every event yielded so far is stored; no body begins before. */
  committed(): Promise<void>
  /** For one answer of the model, idle waits included. */
  readonly modelTimeoutSeconds: number
  /**
   * Places among the calls at work, shared with all other runs: a body takes one before it begins, and who waits holds
   * none. Without it only the run's own limits hold.
   */
  readonly places?: Turns
  /** Does what only waits, and meanwhile other runs may be at work in place of this one; at once when the signal aborts. */
  aside?(wait: () => Promise<void>, signal: AbortSignal): Promise<void>
  /** The way out to hooks; without it each of them fails. */
  readonly hooks?: HookPort
  /** Where decisions come in; without it nobody can be asked while the run is at work. */
  readonly decisions?: Decisions
  /** Whether a person has put files into the run's thread up to now; once true, it stays true. Absent where there is no thread. */
  hasUploads?(): boolean
  /** Shared with the other runs of the model. */
  readonly breaker?: Breaker
  /** Absent when none is known. */
  readonly price?: Price
  /** `defaultModelRetry` unless said. */
  readonly retry?: ModelRetry
  /** From 0 to 1; `Math.random` unless said. */
  random?(): number
  /** Takes known secrets out of what comes from outside, before it is told to anybody. */
  redact?(text: string): string
  /** Told of what can only be a bug, before the run ends as `failed` with code `internal`. */
  report?(error: unknown): void
}

/** Why a run is stopped: by a person, by the server until it is back, or by its own budget of time. */
export type Stop = 'cancel' | 'drain' | 'budget'

/** Reads the signal's reason; whatever is neither `drain` nor `budget` counts as `cancel`. */
export function stopOf(signal: AbortSignal): Stop | undefined {
  if (!signal.aborted) return undefined
  return signal.reason === 'drain' || signal.reason === 'budget' ? signal.reason : 'cancel'
}
