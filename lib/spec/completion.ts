/** A question that a tool asks a model while it works: what it may ask, what it gets, and the event of it. */
import { z } from 'zod'
import { runError, usage } from './event-shapes'
import type { JsonSchema, JsonValue } from './json'
import type { Usage } from './model'

export interface CompletionRequest {
  /** What it is for, in a few words for a person: `Search queries`. */
  readonly purpose: string
  /** What the model is told first. */
  readonly instructions?: string
  readonly prompt: string
  /** The answer must be JSON that fits. One that does not is asked for once more. */
  readonly schema?: JsonSchema
  /** The answer is cut after about so many tokens; the default is `defaultMaxTokens`. */
  readonly maxTokens?: number
  /** The answer is cut when it has cost so much. Refused when no price is known. */
  readonly maxUsd?: number
  /** For all attempts together; the default is the time limit of the model. */
  readonly timeoutSeconds?: number
}

/** What it used, whether it succeeded or not. */
export interface CompletionSpent {
  readonly usage: Usage
  /** Null when no price is known. */
  readonly costUsd: number | null
}

/** `code` is one of a model's faults, or `budget`, `price_unknown`, `not_fitting` or `empty`. */
export type Completion = CompletionSpent &
  (
    | {
        readonly ok: true
        readonly text: string
        /** The answer as JSON that fits the schema; absent without a schema. */
        readonly value?: JsonValue
        /** The answer ends at a limit. */
        readonly isCut?: true
      }
    | { readonly ok: false; readonly code: string; readonly message: string }
  )

export const defaultMaxTokens = 4_096

/** The most characters of a prompt that its event keeps. */
export const shownPrompt = 2_000

/** The payload of `completion.finished`. */
export const finishedCompletion = {
  callId: z.string(),
  purpose: z.string(),
  model: z.strictObject({ provider: z.string(), name: z.string() }),
  /** Its beginning. */
  prompt: z.string(),
  /** Of the whole question, so that it is not asked again when the body runs again after a crash. */
  hash: z.string(),
  /** What the model answered, as far as it came. */
  text: z.string(),
  /** The answer ends at a limit. */
  cut: z.literal(true).optional(),
  attempts: z.int().positive(),
  durationMs: z.int().nonnegative(),
  usage,
  /** Null when no price is known. */
  costUsd: z.number().nonnegative().nullable(),
  /** Why there is no answer. */
  error: runError.optional(),
}
