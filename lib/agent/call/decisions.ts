/** Receives people's decisions and replies while a run is at work. */
import type { Decided, PeopleSaid, Replied } from '#lib/spec/people-said'

export type { Decided, Replied } from '#lib/spec/people-said'

export class Decisions implements PeopleSaid {
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

  get isEmpty(): boolean {
    return this.#line.length === 0 && this.#replies.length === 0
  }

  take(): readonly Decided[] {
    const taken = this.#line
    if (taken.length > 0) this.#line = []
    return taken
  }

  takeReplies(): readonly Replied[] {
    const taken = this.#replies
    if (taken.length > 0) this.#replies = []
    return taken
  }

  listen(listener: () => void): () => void {
    this.#listener = listener
    return () => {
      if (this.#listener === listener) this.#listener = undefined
    }
  }
}
