/** What a hook is: a person's own program, asked over HTTP at one moment of a run. */
import { z } from 'zod'
import { jsonObject } from './json'

export const hookMoment = z.enum([
  'pre_reply',
  'pre_reasoning',
  'post_reasoning',
  'pre_acting',
  'post_acting',
  'post_reply',
  'print',
])
export type HookMoment = z.infer<typeof hookMoment>

/** What a hook puts in place of something. */
export const hookChange = z.strictObject({
  /** The call's arguments. */
  args: jsonObject.optional(),
  /** As in a call. */
  redacted: z.literal(true).optional(),
  /** The result as the model reads it, or the answer. */
  text: z.string().optional(),
  /** The question as the model reads it. */
  question: z.string().optional(),
  /** The instructions: of all steps before the reply, of one request before reasoning. */
  instructions: z.string().optional(),
  /** The text of the last message of one request. */
  lastMessage: z.string().optional(),
})

/** A literal value, or the name of a secret kept on the server. */
export const headerValue = z.union([
  z.string().max(8_192),
  z.strictObject({ secret: z.string().min(1).max(64) }),
])
export type HeaderValue = z.infer<typeof headerValue>

/** A hook as a run holds it. */
export interface Hook {
  readonly on: HookMoment
  readonly url: string
  readonly headers: Readonly<Record<string, HeaderValue>>
  readonly timeoutSeconds: number
  readonly onFailure: 'deny' | 'continue'
}

/** Sends requests to hooks, for one run; provided by the server or the command line. */
export interface HookPort {
  /** Null where runs are not stored. */
  readonly runId: string | null
  /** Posts the JSON text; never throws. Ends at once when the signal aborts. */
  call(request: HookRequest, signal: AbortSignal): Promise<HookAnswer>
}

export interface HookRequest extends Pick<Hook, 'url' | 'headers' | 'timeoutSeconds'> {
  readonly body: string
}

/**
 * `text` is the body of a 2xx response, at most 64 kB. All else is a failure, with a sentence in `message`.
 */
export type HookAnswer =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly message: string }
