/** What the body of a tool returns: a result, a refusal, or questions to a person. */
import type { InputQuestion } from './input'
import type { JsonObject, JsonValue } from './json'
import type { Block } from './message'
import type { RecallReport } from './recall'

/** Details of a tool's work for the trace; never sent to the model. */
export interface WithMetadata {
  readonly metadata?: JsonObject
}

/** A note to the model beside the result: sent with the next request alone, and never part of an answer. */
export interface WithNote {
  readonly note?: string
}

/** The most characters of a note. */
export const maxNoteChars = 4_000

/**
 * The result of a body. A refusal is a value; only a bug throws. The model reads `message`.
 *
 * With `asks` the body has ended by itself without a result, because it needs answers from a person. The run
 * then rests, through restarts, until every question has a reply. After that the body runs again with
 * `context.answered`. This second run of the body is allowed for calls with an effect too.
 *
 * With `rests` the body has ended because the run inside it only waits for people. It runs again, without an event
 * of its own, once somebody has answered. Only a tool that is `resumable` may return it.
 */
export type ToolOutput = WithMetadata &
  WithNote &
  (
    | {
        readonly ok: true
        readonly blocks: readonly Block[]
        /** The groups that are active from the next step on; absent when the call switches none. */
        readonly groups?: readonly string[]
        /** The tools that are offered from the next step on because this call found them. */
        readonly found?: readonly string[]
        /** What the call found in memory or knowledge, and what it records in memory. */
        readonly recall?: readonly RecallReport[]
      }
    | {
        readonly ok: false
        readonly message: string
        readonly code?: string
        /** The same call may succeed later, for example after a timeout or when a server was busy. */
        readonly retryable?: boolean
        /** How long the next try should wait at least, as the asked server says. */
        readonly retryAfterMs?: number
      }
    | {
        readonly ok: 'asks'
        /** At least one, each with an `inputId` of its own. */
        readonly questions: readonly InputQuestion[]
        /** Given back unchanged in `context.answered`. It is stored with the run, so it must not hold a secret. */
        readonly state?: JsonValue
      }
    | { readonly ok: 'rests' }
  )
