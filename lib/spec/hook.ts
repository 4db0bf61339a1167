/** What a hook is: a person's own program, asked over HTTP at one moment of a run. */
import { z } from 'zod'

export const hookMoment = z.enum([
  'pre_reply',
  'pre_reasoning',
  'post_reasoning',
  'pre_acting',
  'post_acting',
  'post_reply',
])
export type HookMoment = z.infer<typeof hookMoment>

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
