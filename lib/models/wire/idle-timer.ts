/** The idle timer of one answer: only content ends a wait, so that pings and empty events can not keep a dead answer alive. */
import type { ModelWaits } from '#lib/spec/model'

export type Wait = 'firstContent' | 'between' | 'end'

/** What may still come after the reason for the end is small, and some never send it. */
const endMs = 3_000

export class Watch {
  readonly #waits: Pick<ModelWaits, 'firstContentMs' | 'betweenMs'>
  readonly #stall: () => void
  #timer: ReturnType<typeof setTimeout> | undefined
  #wait: Wait = 'firstContent'
  /** How often something came. */
  #heard = 0
  #isOver = false

  /** Which wait was too long, and for how many milliseconds it was waited; undefined while none was. */
  stalled: { readonly wait: Wait; readonly ms: number } | undefined

  constructor(waits: Pick<ModelWaits, 'firstContentMs' | 'betweenMs'>, stall: () => void) {
    this.#waits = waits
    this.#stall = stall
  }

  start(): void {
    this.#arm(this.#waits.firstContentMs)
  }

  /** Something of the answer has come. */
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

  /** The answer has said why it ends: only its count of tokens and its end mark may follow. */
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
      // After a pause of the whole process the timer comes first: what had come meanwhile is read before it counts.
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
