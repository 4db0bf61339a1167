/** Merges what happens at once into one order: stream pieces in batches, everything else as it comes. */
import type { EventBody } from '#lib/spec/event'
import type { Clock } from './deps'
import { after } from './later'

/** Shows early what a later event repeats in full. */
export type StreamPiece = Extract<
  EventBody,
  { type: 'text.delta' | 'reasoning.delta' | 'call.delta' | 'call.progressed' }
>

const batchMs = 40

/**
 * The first piece comes through at once, then at most one batch every 40 ms. Neighbouring pieces of the same
 * kind become one. After the first piece, the bare name of a call waits up to one batch for its arguments, so
 * that the two are one piece even if a busy computer was late before. There is one timer for each batch, not
 * for each piece. Other items are never held back, and come after the pieces before them.
 */
export class Feed<T> {
  readonly #clock: Clock
  readonly #timers = new Set<() => void>()
  #isClosed = false
  #ready: (StreamPiece | T)[] = []
  #taken = 0
  #pending: StreamPiece[] = []
  #releasedAt = Number.NEGATIVE_INFINITY
  #isTimed = false
  #wake: (() => void) | undefined
  readonly #onReady: (() => void) | undefined

  /** @param onReady called whenever there is something to take, for a reader that does not wait in `take` */
  constructor(clock: Clock, onReady?: () => void) {
    this.#clock = clock
    this.#onReady = onReady
  }

  get isEmpty(): boolean {
    return this.#ready.length === this.#taken
  }

  piece(piece: StreamPiece): void {
    if (this.#isClosed) return
    const last = this.#pending.at(-1)
    const merged = last === undefined ? undefined : merge(last, piece)
    if (merged === undefined) this.#pending.push(piece)
    else this.#pending[this.#pending.length - 1] = merged
    if (isBareName(piece) && this.#releasedAt > Number.NEGATIVE_INFINITY) {
      if (!this.#isTimed) this.#releaseIn(batchMs)
    } else if (!this.#isTimed || this.#isDue) this.#releaseWhenDue()
  }

  push(item: T): void {
    if (this.#isClosed) return
    this.#release()
    this.#ready.push(item)
    this.#announce()
  }

  /** Pushes the item after this many milliseconds, unless the feed is closed by then. */
  pushAfter(ms: number, item: T): void {
    this.#after(ms, () => this.push(item))
  }

  /** The next item or piece. Only one reader is allowed. */
  async take(): Promise<StreamPiece | T> {
    for (;;) {
      const item = this.#ready[this.#taken]
      if (item !== undefined) {
        this.#taken += 1
        if (this.#taken === this.#ready.length) {
          this.#ready = []
          this.#taken = 0
        }
        return item
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      this.#wake = undefined
    }
  }

  /** Ends the timers and drops later items. */
  close(): void {
    this.#isClosed = true
    for (const off of this.#timers) off()
    this.#timers.clear()
  }

  #release(): void {
    if (this.#pending.length === 0) return
    this.#ready.push(...this.#pending)
    this.#pending = []
    this.#releasedAt = this.#clock.monotonic()
    this.#announce()
  }

  #announce(): void {
    this.#wake?.()
    this.#onReady?.()
  }

  #releaseWhenDue(): void {
    if (this.#pending.length === 0) return
    if (this.#isDue) this.#release()
    else this.#releaseIn(this.#releasedAt + batchMs - this.#clock.monotonic())
  }

  get #isDue(): boolean {
    return this.#clock.monotonic() - this.#releasedAt >= batchMs
  }

  #releaseIn(ms: number): void {
    this.#isTimed = true
    this.#after(ms, () => {
      this.#isTimed = false
      this.#releaseWhenDue()
    })
  }

  #after(ms: number, act: () => void): void {
    const off = after(this.#clock, ms, () => {
      this.#timers.delete(off)
      if (!this.#isClosed) act()
    })
    this.#timers.add(off)
  }
}

function isBareName(piece: StreamPiece): boolean {
  return piece.type === 'call.delta' && piece.argsText === ''
}

/** Merges two neighbouring pieces; undefined when they are of different things. */
function merge(last: StreamPiece, piece: StreamPiece): StreamPiece | undefined {
  switch (piece.type) {
    case 'text.delta':
    case 'reasoning.delta':
      return last.type === piece.type ? { ...last, text: last.text + piece.text } : undefined
    case 'call.delta': {
      if (last.type !== 'call.delta' || last.callId !== piece.callId) return undefined
      return { ...last, argsText: last.argsText + piece.argsText }
    }
    case 'call.progressed': {
      if (last.type !== 'call.progressed' || last.callId !== piece.callId) return undefined
      // Output and waits are not merged with each other. Of several waits only the last one counts.
      if (piece.wait !== undefined || last.wait !== undefined)
        return piece.wait !== undefined && last.wait !== undefined ? piece : undefined
      if (piece.blocks !== undefined) return piece
      return last.blocks === undefined
        ? { ...last, text: `${last.text ?? ''}${piece.text ?? ''}` }
        : undefined
    }
  }
  return piece satisfies never
}
