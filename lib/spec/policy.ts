/**
 * What a policy is: settings, and one function asked when tools are offered and when a call is about to run.
 */
import type { z } from 'zod'
import type { Compaction } from './event'
import type { Hook } from './hook'
import type { JsonObject, JsonSchema } from './json'
import type { ToolChoice } from './model'
import type { PersonaRules } from './persona'
import type { ToolRetry } from './tool'
import type { BoundTool } from './toolkit'

/** The order of asking. The first denial is final; a confirmation or limit counts unless something denies. */
export const stages = [
  'skills.deny',
  'skills.allow',
  'mcp',
  'group',
  'risk',
  'budget',
  'repeat',
  'arguments',
  'taint',
  'approval',
] as const
export type Stage = (typeof stages)[number]

/** A question to a policy. `offer` has no arguments: it decides which tools the model sees. */
export type PolicyQuestion =
  | { readonly moment: 'offer'; readonly tool: BoundTool }
  | {
      readonly moment: 'call'
      readonly tool: BoundTool
      readonly callId: string
      readonly args: JsonObject
      readonly past: CallPast
      /** Undefined when the arguments fit the schema; otherwise what to correct. */
      fits(schema: JsonSchema): string | undefined
    }

/** What the run did before this call. */
export interface CallPast {
  /** How often an equal call (same tool and arguments) failed. */
  readonly failed: number
  /** Calls begun, of the tools that the asking policy covers: in the whole run, and in this step. */
  readonly started: number
  readonly startedInStep: number
  /**
   * Every tool that has begun, covered or not, by first use: in the thread before the run, then in the run.
   */
  readonly begun: readonly Pick<BoundTool, 'scopeName' | 'source'>[]
  /** Whether a person gave files with the question. */
  readonly hasFiles: boolean
  /**
   * Whether a person put files into the thread at any other time, or into the thread that it was forked from.
   */
  readonly hadFiles: boolean
}

export type Verdict = 'deny' | 'confirm' | 'limit'

/** No ruling means no objection. `reason` is one sentence that both a person and the model can read. */
export interface Ruling {
  readonly verdict: Verdict
  readonly reason: string
  /** The limit ends the run. */
  readonly ends?: 'budget'
  /**
   * For a confirmation: how many seconds a person may take, and the decision after that. When absent, there
   * is no time limit.
   */
  readonly expires?: { readonly seconds: number; readonly after: 'approve' | 'reject' }
}

export type OnLimit = 'summarize' | 'error' | 'return_partial'
export type Strategy = 'sequential' | 'parallel' | 'auto'
/** Whether a call waits for the whole answer, or begins as soon as it is complete in the stream. */
export type Timing = 'after_stream' | 'on_stream'

/** What ends a run: text without a call, only a call of the finish tool, or either. */
export type FinishWhen = 'text' | 'finish_tool' | 'either'

/** The limits of a run. The smallest value counts; `execution` and `onLimit` come from the deciding entry. */
export interface Limits {
  maxSteps: number
  onLimit: OnLimit
  strategy: Strategy
  timing: Timing
  concurrency: number
  finish: FinishWhen
  /** How often in a row an answer that was cut off at its token limit is continued. */
  continues: number
  /** The schema that the answer must fit; absent when any text is accepted. Not set by a policy. */
  output?: JsonSchema
  /** Absent when no policy sets it; then it is not sent. */
  toolChoice?: ToolChoice
  /** What a run may use; Infinity where there is no limit. Seconds do not include waiting for a person. */
  budget: { tokens: number; usd: number; seconds: number }
  /** How much of the thread's dialogue before the run reaches the model. */
  history: { maxMessages: number; maxTokens: number; clearToolTurns: boolean }
  /** How the run's own steps are cut when they no longer fit the model's context window. */
  context: ContextLimits
  /** Absent when calls have no personas. */
  personas?: PersonaRules
  /** Absent when every tool that the policies allow is offered. */
  discovery?: DiscoveryLimits
}

export interface ContextLimits {
  /** The part of the context window, from 0 to 1, above which a request is cut. */
  readonly at: number
  readonly how: Compaction
  /** How many of the newest results stay while older ones can be cut. */
  readonly keep: number
  /** The part of the context window that a cut request takes at most. */
  readonly clearTo: number
  /** The model that is asked for summaries; absent when the agent's own model is. */
  readonly model?: ModelNamed
}

/** When only some of the tools are offered, and the others have to be found. */
export interface DiscoveryLimits {
  /** Above this many tools, or this many tokens of their descriptions and schemas, the others are held back. */
  readonly over: number
  readonly overTokens: number
  /** Patterns over the names of tools that are always offered. */
  readonly pin: readonly string[]
}

/** A model by its name, without other settings. */
export interface ModelNamed {
  readonly provider: string
  /** Where the provider has no address of its own. */
  readonly endpoint?: string
  readonly name: string
}

/** The limits of one tool; `appliesTo` may limit them to some tools. */
export interface ToolLimits {
  /** The most characters of an observation that reach the model. */
  maxChars: number
  /** Caps a call's own time limit; Infinity when there is no cap. */
  timeoutSeconds: number
  /** Retries of a failed call, in order. */
  retries: ToolRetry[]
  /** What is hidden in everything its calls return, in order; absent when nothing is. */
  masks?: readonly Mask[]
}

/** Hides something in texts before anyone sees them. */
export interface Mask {
  mask(text: string): string
  /** True when it never matches across lines, so that lines can be shown one by one. */
  readonly isByLine: boolean
}

/** One policy, one per `use`. It rules, sets limits, or both, and reads nothing but its arguments. */
export interface Policy<S extends z.ZodObject = z.ZodObject> {
  readonly id: string
  readonly label: string
  readonly help: string
  /** Other words that a person may search it by. */
  readonly keywords?: readonly string[]
  readonly icon: string
  readonly settings: S
  /** The config of a new entry; needed when `settings` has keys without a default. */
  readonly initial?: z.input<S>
  /** Whether an entry may have `appliesTo`, and so be wired to a tool entry. */
  readonly scoped: boolean
  /** The toolkit whose tools it covers; absent when it covers those of all toolkits. */
  readonly source?: string
  /** True when only the last entry of this policy takes effect; a second one gets a diagnostic. */
  readonly lastWins?: boolean
  /** True when it rules, by its defaults, on every tool that none of its entries covers. */
  readonly implied?: boolean
  /** True when its defaults are limits even without an entry. */
  readonly unsaid?: boolean
  /**
   * What an entry limits, as the beginning of a line: "At most 10 steps". Undefined when it limits nothing.
   */
  says?(settings: z.output<S>): string | undefined
  /** The stages at which `rule` is asked; absent when the policy only sets limits. */
  readonly stages?: readonly Stage[]
  rule?(settings: z.output<S>, stage: Stage, question: PolicyQuestion): Ruling | undefined
  /** Folds this entry into the run's limits, together with other entries of its kind. */
  limit?(settings: z.output<S>, limits: Limits): void
  limitTool?(settings: z.output<S>, limits: ToolLimits): void
  /** Why an entry may not have this scope; undefined when it may. */
  refuses?(settings: z.output<S>, appliesTo: readonly string[] | undefined): string | undefined
  /**
   * The settings that hold for the calls of runs inside the run's calls too; undefined when none do. Absent for a
   * policy that says nothing of them.
   */
  inside?(settings: z.output<S>): z.output<S> | undefined
  /** Which program an entry asks, at which moment of the run. */
  hook?(settings: z.output<S>): Hook
}

/** A policy entry as a run uses it. */
export interface BoundPolicy {
  readonly use: string
  /** The entry's path in the config: `policies/3`. */
  readonly node: string
  readonly appliesTo?: readonly string[]
  /** The toolkit whose tools it covers; absent when it covers those of all toolkits. */
  readonly source?: string
  readonly stages: readonly Stage[]
  rule(stage: Stage, question: PolicyQuestion): Ruling | undefined
  limit(limits: Limits): void
  limitTool(limits: ToolLimits): void
  readonly hook?: Hook
  /** What of it holds for the calls of runs inside the run's calls. */
  inside?(): BoundPolicy
}

/** The limits when no policy sets others. They are part of version 1 and never change. */
export const defaultLimits: Readonly<Limits> = {
  maxSteps: 10,
  onLimit: 'summarize',
  strategy: 'sequential',
  timing: 'after_stream',
  concurrency: 8,
  finish: 'text',
  continues: 0,
  budget: {
    tokens: Number.POSITIVE_INFINITY,
    usd: Number.POSITIVE_INFINITY,
    seconds: Number.POSITIVE_INFINITY,
  },
  history: { maxMessages: 50, maxTokens: 100_000, clearToolTurns: false },
  context: { at: 0.8, how: 'clear', keep: 4, clearTo: 0.5 },
}
/** How often an equal call may fail before it is refused, even without a repeat policy. */
export const defaultRepeat = 3
export const defaultToolLimits: Readonly<ToolLimits> = {
  maxChars: 10_000,
  timeoutSeconds: Number.POSITIVE_INFINITY,
  retries: [],
}
/** The time limit of a tool that sets none, in seconds. */
export const defaultTimeoutSeconds = 30
