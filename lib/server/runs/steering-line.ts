/** Holds what a person says to a run at work until it can be written between two of the run's events. */
import type { RunDeps } from '#lib/agent/deps'
import { emitter } from '#lib/agent/engine'
import { steadyClock } from '#lib/agent/steady-clock'
import type { EventBody, RunEvent } from '#lib/spec/event'
import type { RunState } from '#lib/spec/state'

/** `ended`: the run is no longer at work and has not taken the words. */
export type SteerOutcome = 'said' | 'full' | 'ended'

/** The event that a person wants in the run, given its state; undefined to have none. */
export type Writing = (state: RunState) => EventBody | undefined
export type WriteOutcome = 'written' | 'refused' | 'ended'

/** Events of a person for a run at work, until they can be written between two of its own. */
export class Steering {
  readonly #line: { readonly write: Writing; done(outcome: WriteOutcome): void }[] = []
  #write: ((write: Writing) => 'written' | 'refused' | 'later') | undefined
  /** The number of the run's last event that is in the journal. */
  #stored = 0
  #isClosed = false

  async say(text: string): Promise<SteerOutcome> {
    const outcome = await this.put((state) => (isFull(state) ? undefined : { type: 'run.steered', text }))
    return outcome === 'written' ? 'said' : outcome === 'refused' ? 'full' : 'ended'
  }

  put(write: Writing): Promise<WriteOutcome> {
    if (this.#isClosed) return Promise.resolve('ended')
    return new Promise((done) => {
      this.#line.push({ write, done })
      this.flush()
    })
  }

  /** The state of the run is known from now on, and `append` stores an event of it. */
  open(state: RunState, clock: RunDeps['clock'], append: (event: RunEvent) => void): void {
    const emit = emitter(state, { clock: steadyClock(clock, state.lastAt) })
    this.#stored = state.seq
    this.#write = (write) => {
      // The loop has numbered an event that is not in the journal yet, and that one must come first.
      if (state.seq !== this.#stored) return 'later'
      const body = write(state)
      if (body === undefined) return 'refused'
      const event = emit(body)
      this.#stored = event.seq
      append(event)
      return 'written'
    }
    this.flush()
  }

  /** The loop's event is in the journal. */
  stored(event: RunEvent): void {
    this.#stored = event.seq
    if (event.type === 'run.finished' && event.parent === undefined) this.close()
    else if (this.#line.length > 0) this.flush()
  }

  /** The run is no longer at work: what was not written is given back. */
  close(): void {
    this.#isClosed = true
    for (const { done } of this.#line.splice(0)) done('ended')
  }

  flush(): void {
    for (let first = this.#line[0]; first !== undefined; first = this.#line[0]) {
      const outcome = this.#write?.(first.write) ?? 'later'
      if (outcome === 'later') return
      this.#line.shift()
      first.done(outcome)
    }
  }
}

/** Messages that may wait for the next step of one run. */
export const mostUnread = 20

export function isFull({ steered = [] }: RunState): boolean {
  return steered.length >= mostUnread
}
