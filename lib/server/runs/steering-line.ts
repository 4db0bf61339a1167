/** Holds a person's words for a run at work until they can be written between two of its events. */
import type { RunDeps } from '#lib/agent/deps'
import { emitter } from '#lib/agent/engine'
import { steadyClock } from '#lib/agent/steady-clock'
import type { RunEvent } from '#lib/spec/event'
import type { RunState } from '#lib/spec/state'

/** `ended`: the run is no longer at work and has not taken the words. */
export type SteerOutcome = 'said' | 'full' | 'ended'

/** Words for a run at work, until they can be written between two of its events. */
export class Steering {
  readonly #line: { readonly text: string; done(said: SteerOutcome): void }[] = []
  #write: ((text: string) => 'said' | 'full' | 'later') | undefined
  /** The number of the run's last event that is in the journal. */
  #stored = 0
  #isClosed = false

  say(text: string): Promise<SteerOutcome> {
    if (this.#isClosed) return Promise.resolve('ended')
    return new Promise((done) => {
      this.#line.push({ text, done })
      this.flush()
    })
  }

  /** The state of the run is known from now on, and `append` stores an event of it. */
  open(state: RunState, clock: RunDeps['clock'], append: (event: RunEvent) => void): void {
    const emit = emitter(state, { clock: steadyClock(clock, state.lastAt) })
    this.#stored = state.seq
    this.#write = (text) => {
      // The loop has numbered an event that is not in the journal yet, and that one must come first.
      if (state.seq !== this.#stored) return 'later'
      if (isFull(state)) return 'full'
      const event = emit({ type: 'run.steered', text })
      this.#stored = event.seq
      append(event)
      return 'said'
    }
    this.flush()
  }

  /** The loop's event is in the journal. */
  stored(event: RunEvent): void {
    this.#stored = event.seq
    if (event.type === 'run.finished' && event.parent === undefined) this.close()
    else if (this.#line.length > 0) this.flush()
  }

  /** The run is no longer at work: words that were not written are given back. */
  close(): void {
    this.#isClosed = true
    for (const { done } of this.#line.splice(0)) done('ended')
  }

  flush(): void {
    for (let first = this.#line[0]; first !== undefined; first = this.#line[0]) {
      const said = this.#write?.(first.text) ?? 'later'
      if (said === 'later') return
      this.#line.shift()
      first.done(said)
    }
  }
}

/** Messages that may wait for the next step of one run. */
export const mostUnread = 20

export function isFull({ steered = [] }: RunState): boolean {
  return steered.length >= mostUnread
}
