/** Splits a stream of bytes into lines. A line over the limit is never held: only its two ends are. */

/** The ends of a line that was too long. */
export interface LongLine {
  readonly head: string
  readonly tail: string
}

interface LineReaderGiven {
  readonly maxBytes: number
  line(text: string): void
  long(line: LongLine): void
}

const endBytes = 512
const newline = 10

export class LineReader {
  readonly #given: LineReaderGiven
  #parts: Buffer[] = []
  #bytes = 0
  /** Set while the present line is over the limit. */
  #head: Buffer | undefined

  constructor(given: LineReaderGiven) {
    this.#given = given
  }

  push(chunk: Buffer): void {
    let from = 0
    for (;;) {
      const at = chunk.indexOf(newline, from)
      if (at === -1) break
      this.#take(chunk.subarray(from, at))
      this.#end()
      from = at + 1
    }
    if (from < chunk.length) this.#take(chunk.subarray(from))
  }

  #take(piece: Buffer): void {
    this.#bytes += piece.length
    this.#parts.push(piece)
    if (this.#bytes <= this.#given.maxBytes) return
    const held = Buffer.concat(this.#parts)
    this.#head ??= Buffer.from(held.subarray(0, endBytes))
    // Copied, so that the large piece it is a part of is freed.
    this.#parts = [Buffer.from(held.subarray(-endBytes))]
  }

  #end(): void {
    const rest = Buffer.concat(this.#parts).toString('utf8')
    const head = this.#head?.toString('utf8')
    this.#parts = []
    this.#bytes = 0
    this.#head = undefined
    if (head !== undefined) this.#given.long({ head, tail: rest })
    else this.#given.line(rest.endsWith('\r') ? rest.slice(0, -1) : rest)
  }
}
