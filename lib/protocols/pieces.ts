/** Feeds text that arrives in pieces to a reader that may need more of it before it can continue. */

export interface Stepping {
  /**
   * Reads from index `at`. Returns the next index to read, or `-1 - index` to hold the text from `index` on.
   */
  step(text: string, at: number): number
}

export class Pieces {
  readonly #of: Stepping
  /** Text that cannot be decided before more arrives. */
  #held = ''

  constructor(of: Stepping) {
    this.#of = of
  }

  get isHolding(): boolean {
    return this.#held !== ''
  }

  read(piece: string): void {
    const text = this.#held === '' ? piece : this.#held + piece
    this.#held = ''
    let at = 0
    while (at < text.length) {
      const next = this.#of.step(text, at)
      if (next < 0) {
        this.#held = text.slice(-next - 1)
        return
      }
      at = next
    }
  }

  /** Called when no more text comes. Returns the held text and clears it. */
  rest(): string {
    const held = this.#held
    this.#held = ''
    return held
  }
}
