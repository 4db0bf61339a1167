/** What a hook is: somebody's own program that is asked over HTTP at one moment of a run. */
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

/** A value as it is, or one kept on the server under a name. */
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

/** The way out to hooks, for one run; composed by the server or the command line. */
export interface HookPort {
  /** Null where runs are not kept. */
  readonly runId: string | null
  /** Posts the JSON text; never throws. Ends at once when the signal aborts. */
  call(request: HookRequest, signal: AbortSignal): Promise<HookAnswer>
}

export interface HookRequest extends Pick<Hook, 'url' | 'headers' | 'timeoutSeconds'> {
  readonly body: string
}

/** `text` is what a 2xx answer held, at most 64 kB; anything else is a failure, `message` one sentence. */
export type HookAnswer =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly message: string }
