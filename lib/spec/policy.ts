/** What a policy is: settings, and one function asked twice (when tools are offered, and when a call is about to run). */
import type { z } from 'zod'
import type { Hook } from './hook'
import type { JsonObject, JsonSchema } from './json'
import type { ToolChoice } from './model'
import type { BoundTool } from './toolkit'

/** The order of asking (DESIGN §4). The first deny stands; a confirm or a limit stands unless something denies. */
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

/** A question to a policy. `offer` has no arguments; it decides what the model gets to see. */
export type PolicyQuestion =
  | { readonly moment: 'offer'; readonly tool: BoundTool }
  | {
      readonly moment: 'call'
      readonly tool: BoundTool
      readonly callId: string
      readonly args: JsonObject
      readonly past: CallPast
      /** Nothing when the arguments fit the schema, else what to mend. */
      fits(schema: JsonSchema): string | undefined
    }

/** What the run did before the call in question. */
export interface CallPast {
  /** How often the very same call, by tool and arguments, did not end well. */
  readonly failed: number
  /** Calls begun, counting only tools that the asking policy covers; in the whole run, and in this step. */
  readonly started: number
  readonly startedInStep: number
  /** Every tool that has begun, covered or not, in order of its first call: in the thread before the run, then in the run. */
  readonly begun: readonly Pick<BoundTool, 'scopeName' | 'source'>[]
  /** Whether a person gave files along with the question. */
  readonly hasFiles: boolean
  /** Whether a person has put files into the thread at any other time, or into the one that it was forked from. */
  readonly hadFiles: boolean
}

export type Verdict = 'deny' | 'confirm' | 'limit'

/** Absent means: nothing against it. `reason` is one sentence a person and the model can read. */
export interface Ruling {
  readonly verdict: Verdict
  readonly reason: string
  /** A limit after which the run ends. */
  readonly ends?: 'budget'
  /** With a confirm: how long a person may take, in seconds, and what holds after that. Without it they may take any time. */
  readonly expires?: { readonly seconds: number; readonly after: 'approve' | 'reject' }
}

export type OnLimit = 'summarize' | 'error' | 'return_partial'
export type Strategy = 'sequential' | 'parallel' | 'auto'
/** Whether a call waits for the whole answer, or begins as soon as it stands complete in the stream. */
export type Timing = 'after_stream' | 'on_stream'

/** What ends a run: words without a call, a call of the finish tool alone, or either. */
export type FinishWhen = 'text' | 'finish_tool' | 'either'

/** Numbers a run keeps to. Several of a kind: the smallest; `execution` and `onLimit` go with the entry that decides. */
export interface Limits {
  maxSteps: number
  onLimit: OnLimit
  strategy: Strategy
  timing: Timing
  concurrency: number
  finish: FinishWhen
  /** How often in a row an answer that its token limit cut off is gone on with. */
  continues: number
  /** What the answer has to fit; absent where any words will do. No policy sets it. */
  output?: JsonSchema
  /** Absent when no policy says: then nothing is sent. */
  toolChoice?: ToolChoice
  /** What a run may use up; Infinity where nothing limits it. Seconds leave out waiting for a person. */
  budget: { tokens: number; usd: number; seconds: number }
  /** What of the thread's dialogue before the run reaches the model. */
  history: { maxMessages: number; maxTokens: number; clearToolTurns: boolean }
}

/** Numbers one tool keeps to; these may be scoped by `appliesTo`. */
export interface ToolLimits {
  /** Characters of an observation that reach the model. */
  maxChars: number
  /** Caps a call's own time-out; Infinity when nothing caps it. */
  timeoutSeconds: number
  /** How often a failed call is tried again, in order; each with the wait before its first try, which doubles. */
  retries: { max: number; backoffMs: number }[]
  /** What is hidden in all that its calls give back, in order; absent when nothing is. */
  masks?: readonly Mask[]
}

/** Hides something in texts before anybody is told them. */
export interface Mask {
  mask(text: string): string
  /** True when nothing it hides goes on in another line, so that lines can be told one by one. */
  readonly isByLine: boolean
}

/** One policy, one per `use`. A policy rules, or limits, or both; never does it look outside its arguments. */
export interface Policy<S extends z.ZodObject = z.ZodObject> {
  readonly id: string
  readonly label: string
  readonly help: string
  readonly icon: string
  readonly settings: S
  /** What a freshly dropped entry holds; needed when `settings` has keys without a default. */
  readonly initial?: z.input<S>
  /** Whether an entry may say `appliesTo`, and so be wired to a tool entry. */
  readonly scoped: boolean
  /** True when only one of the kind can decide (the last does); a second one is a diagnostic. */
  readonly lastWins?: boolean
  /** True when it rules by its defaults on every tool that no entry of it covers. */
  readonly implied?: boolean
  /** True when its defaults limit where no entry of it does. */
  readonly unsaid?: boolean
  /** What such an entry limits, as the beginning of one line: "At most 10 steps". Undefined when it limits nothing. */
  says?(settings: z.output<S>): string | undefined
  /** The stages at which `rule` is asked; absent when the policy only limits. */
  readonly stages?: readonly Stage[]
  rule?(settings: z.output<S>, stage: Stage, question: PolicyQuestion): Ruling | undefined
  /** Folds this entry into the run's limits, so that several of a kind combine as DESIGN §4 says. */
  limit?(settings: z.output<S>, limits: Limits): void
  limitTool?(settings: z.output<S>, limits: ToolLimits): void
  /** Why such an entry may not have this scope; undefined when it may. */
  refuses?(settings: z.output<S>, appliesTo: readonly string[] | undefined): string | undefined
  /** Whom such an entry asks, at which moment of the run. */
  hook?(settings: z.output<S>): Hook
}

/** A policy entry as a run holds it. */
export interface BoundPolicy {
  readonly use: string
  /** The entry's path in the config: `policies/3`. */
  readonly node: string
  readonly appliesTo?: readonly string[]
  readonly stages: readonly Stage[]
  rule(stage: Stage, question: PolicyQuestion): Ruling | undefined
  limit(limits: Limits): void
  limitTool(limits: ToolLimits): void
  readonly hook?: Hook
}

/** What holds when no policy says otherwise (DESIGN §4, Defaults): part of version 1, never changed. */
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
}
/** The same call may fail this often before it is refused, also when no policy says so. */
export const defaultRepeat = 3
export const defaultToolLimits: Readonly<ToolLimits> = {
  maxChars: 10_000,
  timeoutSeconds: Number.POSITIVE_INFINITY,
  retries: [],
}
/** A tool that names no time-out of its own gets this. */
export const defaultTimeoutSeconds = 30
