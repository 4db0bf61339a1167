/** What the readers of the APIs share: how an answer is handed to them, and what they know of what was asked. */

import type { Outlet } from './chunk-buffer'
import type { Site } from './faults'
import type { SseEvent } from './sse'

/** Turns one answer of an API into chunks, put into its outlet. */
export interface Hearing {
  readonly out: Outlet
  /** Whether it has said why it ends, so that it is whole without what may follow. */
  readonly isTold: boolean
  event(event: SseEvent): void
  /** An answer that came as one JSON value; false when it is none of this API. */
  whole(value: unknown): boolean
  /** The bytes have ended in good order. */
  end(): void
}

export interface Heard {
  readonly out: Outlet
  readonly site: Site
  /** The body that was sent, for an estimate of its tokens. */
  readonly asked: string
  readonly maxOutputTokens: number | undefined
}
