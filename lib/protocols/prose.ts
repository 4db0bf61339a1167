/**
 * Scans the plain text of an answer for places where a call may start: never inside a
 * code fence or inline code.
 */

/** Tracks lines, fences and inline code; each character is looked at once. */
export class Prose {
  readonly #marks: RegExp
  readonly #mark: '<' | '{'
  #isBlank = true
  #fence: Run | undefined
  #inline = 0
  /** A run of backticks or tildes that may continue. */
  #run: (Run & { readonly atLineStart: boolean }) | undefined
  /** The current line started like the end of the fence, and nothing else has followed on it so far. */
  #isClosing = false

  /**
   * @param mark the one character that starts a call; with `{`, a fence at the start of
   *   a line may start one too
   */
  constructor(mark: '<' | '{') {
    this.#mark = mark
    this.#marks = new RegExp(`[${mark}\`~\\n]`, 'g')
  }

  /** Whether the current line has only white space so far. */
  get isBlank(): boolean {
    return this.#isBlank
  }

  get isInCode(): boolean {
    return this.#fence !== undefined || this.#inline > 0
  }

  /** A call has ended; the text after it continues on the same line. */
  resume(isBlank: boolean): void {
    this.#isBlank = isBlank
    this.#inline = 0
    this.#run = undefined
  }

  /** The following text is inside a fence that only a run of at least `size` backticks ends. */
  fenced(size: number): void {
    this.#fence = { char: '`', size }
    this.#run = undefined
    this.#isBlank = true
  }

  /**
   * The index of the next mark from `at` on, or of the first backtick on a blank line outside code; -1 if
   * there is none, and then the whole text has been scanned. The mark itself is not scanned yet: `take` does
   * that if it turns out to be text.
   */
  find(text: string, at: number): number {
    let from = at
    while (from < text.length) {
      if (this.#run !== undefined && text[from] !== this.#run.char) this.#endRun(text[from] ?? '')
      this.#marks.lastIndex = from
      const index = this.#marks.exec(text)?.index ?? text.length
      this.#see(text, from, index)
      if (index === text.length) return -1
      const char = text[index] ?? ''
      if (!this.isInCode && this.#run === undefined && this.#isMark(char)) return index
      this.#one(char)
      from = index + 1
    }
    return -1
  }

  /** Scans text that looked like a call but is not one. */
  take(text: string): void {
    for (const char of text) {
      if (this.#run !== undefined && char !== this.#run.char) this.#endRun(char)
      if (char === '\n' || char === '`' || char === '~') this.#one(char)
      else this.#see(char, 0, 1)
    }
  }

  #isMark(char: string): boolean {
    return char === this.#mark || (this.#mark === '{' && char === '`' && this.#isBlank)
  }

  #see(text: string, from: number, to: number): void {
    if (from === to) return
    if (this.#run !== undefined) this.#endRun(text[from] ?? '')
    if (!this.#isBlank && !this.#isClosing) return
    for (let index = from; index < to; index++) {
      const code = text.charCodeAt(index)
      if (code === 32 || code === 9 || code === 13) continue
      this.#isBlank = false
      this.#isClosing = false
      return
    }
  }

  #one(char: string): void {
    if (char === '\n') {
      if (this.#run !== undefined) this.#endRun(char)
      if (this.#isClosing) this.#fence = undefined
      this.#isClosing = false
      this.#isBlank = true
      this.#inline = 0
      return
    }
    if (char === '`' || char === '~') {
      if (this.#run === undefined) this.#run = { char, size: 1, atLineStart: this.#isBlank }
      else this.#run = { ...this.#run, size: this.#run.size + 1 }
    }
    this.#isBlank = false
    if (char !== '`' && char !== '~') this.#isClosing = false
  }

  #endRun(next: string): void {
    const run = this.#run
    this.#run = undefined
    if (run === undefined) return
    if (this.#fence !== undefined) {
      const isEnd = run.atLineStart && run.char === this.#fence.char && run.size >= this.#fence.size
      this.#isClosing = isEnd && /\s/.test(next)
    } else if (run.atLineStart && run.size >= 3) this.#fence = { char: run.char, size: run.size }
    else if (run.char === '`') {
      if (this.#inline === 0) this.#inline = run.size
      else if (this.#inline === run.size) this.#inline = 0
    }
  }
}

interface Run {
  readonly char: string
  readonly size: number
}
