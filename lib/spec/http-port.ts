/** The port that sends HTTP requests with secrets. */
import type { WebAnswer, WebRequest } from './sandbox'

/** Opens a secret that was asked for with the request. */
export type OpenSecret = (name: string) => string

export interface HttpRequest {
  /** Where the request goes; its secrets are opened for this origin only. */
  readonly url: string
  /** The names of all secrets that `build` uses. */
  readonly secrets: readonly string[]
  /** The request itself, with its secrets; it must go to the origin of `url`. */
  build(open: OpenSecret): WebRequest
}

export type HttpAnswer =
  | WebAnswer
  | { readonly ok: false; readonly code: 'secret'; readonly message: string; readonly retryable: false }

/** Sends requests with secrets through the guarded client; never throws. */
export interface HttpPort {
  send(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer>
}
