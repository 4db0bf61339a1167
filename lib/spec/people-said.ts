/** What people say about the calls of a run, and the line in which it reaches the loop. */
import type { EventOf } from './event'
import type { InputReply } from './input'
import type { JsonObject } from './json'

/**
 * A person's decision on a call that waits. For a call of a run inside a call, `callId` is the ids from the
 * outermost call to it, joined by `/`.
 */
export interface Decided extends Pick<EventOf<'approval.decided'>, 'decision' | 'scope' | 'by'> {
  readonly callId: string
  readonly reason?: string
  /** As the person wrote them. */
  readonly args?: JsonObject
}

/** A person's reply to a question of a call, or why there is none. */
export interface Replied extends InputReply {
  readonly callId: string
  readonly inputId: string
  readonly by: Exclude<EventOf<'input.given'>['by'], 'rule'>
}

/** Decisions and replies that the loop has not taken yet. */
export interface PeopleSaid {
  push(decided: Decided): void
  reply(replied: Replied): void
  /** All decisions since the last `take`, in the order in which they came. */
  take(): readonly Decided[]
  /** All replies since the last time, in the order in which they came. */
  takeReplies(): readonly Replied[]
  /** Whether there is nothing to take. */
  readonly isEmpty: boolean
  /**
   * Calls the listener at each decision and reply. Only one listener is allowed. Returns a function that removes it.
   */
  listen(listener: () => void): () => void
}
