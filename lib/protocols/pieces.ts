/** Feeds a text that comes in pieces to a reader that may need more of it to go on. */

export interface Stepping {
  /** Reads on from `at`; gives where it stands then, or `-1 - index` when the text from there on is to be held. */
  step(text: string, at: number): number
}

export class Pieces {
  readonly #of: Stepping
  /** What can not be told before more comes. */
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

  /** No more comes: what is still held, once. */
  rest(): string {
    const held = this.#held
    this.#held = ''
    return held
  }
}
