/** The interface of the readers of the APIs, and what they know about the request. */

import type { SseEvent } from '#lib/spec/sse'
import type { ChunkBuffer } from './chunk-buffer'
import type { Site } from './faults'

/** Turns one answer of an API into chunks, which go to its outlet. */
export interface AnswerReader {
  readonly out: ChunkBuffer
  /** Whether the answer has given its finish reason, so that it is complete even if nothing follows. */
  readonly isTold: boolean
  event(event: SseEvent): void
  /** Reads an answer that came as one JSON value; returns false if it does not belong to this API. */
  whole(value: unknown): boolean
  /** Call this when the bytes have ended without an error. */
  end(): void
}

export interface Heard {
  readonly out: ChunkBuffer
  readonly site: Site
  /** The body of the request, for an estimate of its tokens. */
  readonly asked: string
  readonly maxOutputTokens: number | undefined
}
