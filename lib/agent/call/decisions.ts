/** Where a person's decisions come in while a run is at work. */
import type { JsonObject } from '#lib/spec/json'
import type { Approval } from '#lib/spec/state'

/** What somebody said of a call that waits. */
export interface Decided extends Pick<NonNullable<Approval['decided']>, 'decision' | 'scope' | 'by'> {
  readonly callId: string
  readonly reason?: string
  readonly args?: JsonObject
}

export class Decisions {
  #line: Decided[] = []
  #listener: (() => void) | undefined

  push(decided: Decided): void {
    this.#line.push(decided)
    this.#listener?.()
  }

  /** All that came since it was last asked, in that order. */
  take(): readonly Decided[] {
    const taken = this.#line
    if (taken.length > 0) this.#line = []
    return taken
  }

  /** Told of each arrival; one listener only. Returns how to end it. */
  listen(listener: () => void): () => void {
    this.#listener = listener
    return () => {
      if (this.#listener === listener) this.#listener = undefined
    }
  }
}
