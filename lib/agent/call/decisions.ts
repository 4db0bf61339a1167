/** Receives people's decisions and replies while a run is at work. */
import type { AskedInput, InputReply } from '#lib/spec/input'
import type { JsonObject } from '#lib/spec/json'
import type { Approval } from '#lib/spec/state'

/** A person's decision on a call that waits. */
export interface Decided extends Pick<NonNullable<Approval['decided']>, 'decision' | 'scope' | 'by'> {
  readonly callId: string
  readonly reason?: string
  /** As the person wrote them. */
  readonly args?: JsonObject
}

/** A person's reply to a question of a call, or why there is none. */
export interface Replied extends InputReply {
  readonly callId: string
  readonly inputId: string
  readonly by: Exclude<NonNullable<AskedInput['given']>['by'], 'rule'>
}

export class Decisions {
  #line: Decided[] = []
  #replies: Replied[] = []
  #listener: (() => void) | undefined

  push(decided: Decided): void {
    this.#line.push(decided)
    this.#listener?.()
  }

  reply(replied: Replied): void {
    this.#replies.push(replied)
    this.#listener?.()
  }

  /** All decisions since the last `take`, in the order in which they came. */
  take(): readonly Decided[] {
    const taken = this.#line
    if (taken.length > 0) this.#line = []
    return taken
  }

  /** All replies since the last time, in the order in which they came. */
  takeReplies(): readonly Replied[] {
    const taken = this.#replies
    if (taken.length > 0) this.#replies = []
    return taken
  }

  /**
   * Calls the listener at each decision and reply. Only one listener is allowed. Returns a function that removes it.
   */
  listen(listener: () => void): () => void {
    this.#listener = listener
    return () => {
      if (this.#listener === listener) this.#listener = undefined
    }
  }
}
