/** Tracks whether the pieces so far form one complete JSON object, reading each character once. */

const quote = 34
const backslash = 92
const open = new Set([123, 91])
const close = new Set([125, 93])

export class JsonScan {
  #depth = 0
  #inText = false
  #isEscaped = false

  /** Only white space has arrived. */
  isEmpty = true
  /** Every open bracket has been closed. */
  isWhole = false

  push(piece: string): void {
    for (let at = 0; at < piece.length; at++) {
      const unit = piece.charCodeAt(at)
      if (this.#inText) this.#text(unit)
      else this.#structure(unit)
    }
  }

  #text(unit: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (unit === backslash) this.#isEscaped = true
    else if (unit === quote) this.#inText = false
  }

  #structure(unit: number): void {
    if (unit === 32 || unit === 10 || unit === 13 || unit === 9) return
    this.isEmpty = false
    // More text shows that the last closing bracket was not the end.
    this.isWhole = false
    if (unit === quote) this.#inText = true
    else if (open.has(unit)) this.#depth += 1
    else if (close.has(unit)) {
      this.#depth -= 1
      this.isWhole = this.#depth === 0
    }
  }
}
