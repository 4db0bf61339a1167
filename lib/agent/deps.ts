/** What a run needs from outside, provided by the server or the command line and never looked up. */
import type { HookPort } from '#lib/spec/hook'
import type { OuterRun } from '#lib/spec/inner-run'
import type { JsonSchema } from '#lib/spec/json'
import type { MockDeps } from '#lib/spec/mock'
import type { Breaker, ModelClient, Price } from '#lib/spec/model'
import type { PeopleSaid } from '#lib/spec/people-said'
import type { BoundPolicy } from '#lib/spec/policy'
import type { Codec } from '#lib/spec/protocol'
import type { Redact } from '#lib/spec/redact'
import type { ToolPorts } from '#lib/spec/tool'
import type { BoundGroup, BoundTool, Recaller, ToolListing } from '#lib/spec/toolkit'
import type { Turns } from '#lib/spec/turns'
import type { Originals } from './call/originals'

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Milliseconds from any fixed point; never goes back. */
  monotonic(): number
  /** Ends early when the signal aborts, by returning or by throwing. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** Acts after this many milliseconds, unless the function it returns is called before; `sleep` is used where it is absent. */
  after?(ms: number, act: () => void): () => void
}

/** How a failed request to the model is tried again. */
export interface ModelRetry {
  /** Tries after the first one. */
  readonly max: number
  /** The wait before the second try. It doubles with each try, and a random part of it is used. */
  readonly baseMs: number
  readonly capMs: number
  /** When the provider asks for a longer wait than this, the run ends with an error that says so. */
  readonly longestHintMs: number
}

export const defaultModelRetry: ModelRetry = {
  max: 3,
  baseMs: 1_000,
  capMs: 30_000,
  longestHintMs: 60_000,
}

/** One model at two temperatures. */
export interface NamingModel {
  /** At a low one, so that one task gets the same names each time. */
  readonly cool: ModelClient
  /** Without any, for a model that refuses every temperature. */
  readonly plain: ModelClient
}

/** Another model than the run's own, with what is known of it. */
export interface OtherModel {
  readonly client: ModelClient
  readonly price?: Price
  /** Null when unknown. */
  readonly contextWindow: number | null
  readonly timeoutSeconds: number
  /** Shared with all that ask this model. */
  readonly breaker?: Breaker
}

export interface RunDeps {
  /** The run's id, for its tools; absent where runs are not stored. */
  readonly runId?: string
  readonly model: ModelClient
  /** Opened over the tools that the config offers first. Other sets of tools are opened from it. */
  readonly codec: Codec
  /** Every tool of the config in the order offered, including those that the policies withhold. */
  readonly tools: readonly BoundTool[]
  /** The groups of the config; absent when it has none. */
  readonly groups?: readonly BoundGroup[]
  /** The tools as the toolkits list them now; absent when none of them can change. The first time may take seconds. */
  toolsNow?(signal: AbortSignal): Promise<ToolListing>
  /** Offered from the step on that follows the first cut of the run's own dialogue, unless a policy denies them. */
  readonly toolsAfterCut?: readonly BoundTool[]
  readonly policies: readonly BoundPolicy[]
  /** Entries of the config that give the run something at its start, or remember it at its end. */
  readonly recallers?: readonly Recaller[]
  /** As the config has them; the run replaces `{{date}}` and `{{name}}`. */
  readonly instructions: string
  /** Sent to the model before each further step; not sent when empty. */
  readonly nextStepPrompt?: string
  /** Ends the answer of a run that a person cancels; not given when empty. */
  readonly interruptReply?: string
  /** The JSON Schema that the run's answer must fit. Without it any text is accepted. */
  readonly output?: JsonSchema
  readonly ports: ToolPorts
  readonly clock: Clock
  /** SHA-256 as hex. */
  hash(text: string): string
  /**
   * Resolves when every event yielded so far is stored. No body begins before that, except one that only reads
   * and is not the run's first.
   */
  committed(): Promise<void>
  /** The tokens that the model accepts in one request; absent or null when unknown. */
  readonly contextWindow?: number | null
  /** The model that is asked for summaries of a long run; absent when the run's own model is. */
  readonly summaryModel?: OtherModel
  /** The run's own model for names; absent when no names are generated, or when it takes no temperature. */
  readonly namingModel?: NamingModel
  /** The time limit for one answer of the model, including idle time. */
  readonly modelTimeoutSeconds: number
  /**
   * Places for calls at work, shared with all other runs. A body takes one before it begins, and a call that
   * waits holds none. Without it, only the run's own limits apply.
   */
  readonly places?: Turns
  /**
   * Runs `wait` while another run may use this run's slot, then takes a slot again unless the signal aborts.
   */
  aside?(wait: () => Promise<void>, signal: AbortSignal): Promise<void>
  /** Sends requests to hooks. Without it every hook fails. */
  readonly hooks?: HookPort
  /** Delivers people's decisions. Without it nobody can be asked while the run is at work. */
  readonly decisions?: PeopleSaid
  /**
   * Whether a person has put files into the run's thread so far; never goes back to false.
   * Absent without a thread.
   */
  hasUploads?(): boolean
  /** Shared with the other runs of this model. */
  readonly breaker?: Breaker
  /** Absent when no price is known. */
  readonly price?: Price
  /** The default is `defaultModelRetry`. */
  readonly retry?: ModelRetry
  /** From 0 to 1; the default is `Math.random`. */
  random?(): number
  /** Removes known secrets from text that came from outside, before anyone sees it. */
  readonly redact?: Redact
  /** Keeps the arguments of calls in which secrets were found. Without it, they are kept while the run is at work. */
  readonly originals?: Originals
  /** What answers the calls of mocked tools; absent in a run without mocks. */
  readonly mocks?: MockDeps
  /** The run that this one is inside of; absent for a run of its own. */
  readonly outer?: OuterRun
  /** Reports what can only be a bug, before the run ends as `failed` with the code `internal`. */
  report?(error: unknown): void
}

/** Why a run is stopped: by a person, by the server until it restarts, or by the run's own time budget. */
export type Stop = 'cancel' | 'drain' | 'budget'

/** Reads the signal's reason. Anything other than `drain` and `budget` counts as `cancel`. */
export function stopOf(signal: AbortSignal): Stop | undefined {
  if (!signal.aborted) return undefined
  return signal.reason === 'drain' || signal.reason === 'budget' ? signal.reason : 'cancel'
}
