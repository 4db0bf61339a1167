/** Receives people's decisions while a run is at work. */
import type { JsonObject } from '#lib/spec/json'
import type { Approval } from '#lib/spec/state'

/** A person's decision on a call that waits. */
export interface Decided extends Pick<NonNullable<Approval['decided']>, 'decision' | 'scope' | 'by'> {
  readonly callId: string
  readonly reason?: string
  /** As the person wrote them. */
  readonly args?: JsonObject
}

export class Decisions {
  #line: Decided[] = []
  #listener: (() => void) | undefined

  push(decided: Decided): void {
    this.#line.push(decided)
    this.#listener?.()
  }

  /** All decisions since the last `take`, in the order in which they came. */
  take(): readonly Decided[] {
    const taken = this.#line
    if (taken.length > 0) this.#line = []
    return taken
  }

  /**
   * Calls the listener at each decision. Only one listener is allowed. Returns a function that removes it.
   */
  listen(listener: () => void): () => void {
    this.#listener = listener
    return () => {
      if (this.#listener === listener) this.#listener = undefined
    }
  }
}
