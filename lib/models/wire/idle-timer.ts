/**
 * The idle timer of one answer. Only content resets it, so that pings and empty events cannot
 * keep a dead answer alive.
 */
import type { ModelWaits } from '#lib/spec/model'

export type Wait = 'firstContent' | 'between' | 'end'

/** What follows the finish reason is small, and some services never send it. */
const endMs = 3_000

export class IdleTimer {
  readonly #waits: Pick<ModelWaits, 'firstContentMs' | 'betweenMs'>
  readonly #stall: () => void
  #timer: ReturnType<typeof setTimeout> | undefined
  #wait: Wait = 'firstContent'
  /** The number of times that content has arrived. */
  #heard = 0
  #isOver = false

  /** Which wait was too long, and its length in milliseconds; undefined if none was. */
  stalled: { readonly wait: Wait; readonly ms: number } | undefined

  constructor(waits: Pick<ModelWaits, 'firstContentMs' | 'betweenMs'>, stall: () => void) {
    this.#waits = waits
    this.#stall = stall
  }

  start(): void {
    this.#arm(this.#waits.firstContentMs)
  }

  /** Call this when part of the answer has arrived. */
  content(): void {
    this.#heard += 1
    if (this.#wait === 'end') return
    if (this.#wait === 'between') {
      this.#timer?.refresh()
      return
    }
    this.#wait = 'between'
    this.#arm(this.#waits.betweenMs)
  }

  /** The answer has given its finish reason: only its token count and end mark may follow. */
  ending(): void {
    if (this.#wait === 'end') return
    this.#wait = 'end'
    this.#arm(Math.min(endMs, this.#waits.betweenMs))
  }

  stop(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
  }

  #arm(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      const heard = this.#heard
      // After the whole process was paused, the timer fires first. Data that arrived meanwhile is read before
      // the wait counts as too long.
      setImmediate(() => {
        if (heard === this.#heard && !this.#isOver) this.#end(ms)
      })
    }, ms)
  }

  #end(ms: number): void {
    this.stalled = { wait: this.#wait, ms }
    this.#stall()
  }
}
