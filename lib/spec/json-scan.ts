/**
 * Scans JSON that arrives in pieces or is not trusted: counts its brackets and values without parsing them.
 * Each character is read once.
 */

const quote = 34
const comma = 44
const backslash = 92

/** The text ended inside the string. */
const cut = -1
/** The text ended after a backslash, before the character that it escapes. */
const cutInEscape = -2

/** The index after the closing quote of the string whose text begins at `from`; negative if it is not closed. */
export function endOfString(text: string, from: number): number {
  let at = from
  while (at < text.length) {
    const unit = text.charCodeAt(at)
    if (unit === quote) return at + 1
    at += unit === backslash ? 2 : 1
  }
  return at > text.length ? cutInEscape : cut
}

export interface ScanLimits {
  /** Nested brackets. */
  readonly maxDepth?: number
  readonly maxValues?: number
}

export class JsonScan {
  /** The number of open brackets. */
  depth = 0
  /** The number of values so far; keys do not count, and an empty list or object counts as two. */
  values = 1
  /** Only white space has arrived. */
  isEmpty = true
  /** Every open bracket has been closed. */
  isWhole = false
  /** How the last piece ended; 0 outside a string. */
  #cut = 0

  /** Returns the index at which the text exceeds a limit, or the length of the piece. */
  push(piece: string, { maxDepth = Infinity, maxValues = Infinity }: ScanLimits = {}): number {
    let at = this.#cut === 0 ? 0 : this.#afterString(piece, this.#cut === cut ? 0 : 1)
    for (; at < piece.length; at++) {
      const unit = piece.charCodeAt(at)
      if (unit === 32 || unit === 10 || unit === 13 || unit === 9) continue
      this.isEmpty = false
      // More text shows that the last closing bracket was not the end.
      this.isWhole = false
      if (unit === quote) at = this.#afterString(piece, at + 1) - 1
      else if (unit === comma) this.values += 1
      else if (unit === 91 || unit === 123) {
        this.depth += 1
        this.values += 1
      } else if (unit === 93 || unit === 125) {
        this.depth -= 1
        this.isWhole = this.depth === 0
      }
      if (this.depth > maxDepth || this.values > maxValues) return at
    }
    return at
  }

  #afterString(piece: string, from: number): number {
    const end = endOfString(piece, from)
    this.#cut = Math.min(end, 0)
    return end < 0 ? piece.length : end
  }
}
