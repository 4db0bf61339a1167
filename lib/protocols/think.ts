/**
 * Separates `<think>` blocks at the start of an answer from the text; some models
 * write their reasoning there.
 */

const opening = /^\s*<(think|thinking)>/i
const mayOpen = /^\s*(<(t(h(i(n(k(i(n(g)?)?)?)?)?)?)?)?)?$/i

interface Listener {
  text(text: string): void
  reasoning(text: string): void
}

/**
 * Reads each character once and holds what may be a tag. White space directly before a
 * block is dropped with it.
 */
export class Think {
  readonly #to: Listener
  #state: 'head' | 'inside' | 'past' = 'head'
  #held = ''
  #closing = ''

  constructor(to: Listener) {
    this.#to = to
  }

  /** Whether all further input is text. */
  get isPast(): boolean {
    return this.#state === 'past'
  }

  push(piece: string): void {
    if (this.#state === 'past') {
      this.#to.text(piece)
      return
    }
    let text = this.#held + piece
    this.#held = ''
    for (;;) {
      if (this.#state === 'inside') {
        const at = text.toLowerCase().indexOf(this.#closing)
        if (at < 0) {
          const kept = startOfPartialMark(text, this.#closing)
          this.#to.reasoning(text.slice(0, kept))
          this.#held = text.slice(kept)
          return
        }
        this.#to.reasoning(text.slice(0, at))
        text = text.slice(at + this.#closing.length)
        this.#state = 'head'
      }
      const opened = opening.exec(text)
      if (opened !== null) {
        this.#closing = `</${(opened[1] ?? '').toLowerCase()}>`
        this.#state = 'inside'
        text = text.slice(opened[0].length)
        continue
      }
      // White space is passed on at once: only the start of a possible tag is held.
      const at = text.search(/\S/)
      if (at < 0) {
        this.#to.text(text)
        return
      }
      if (mayOpen.test(text)) {
        this.#to.text(text.slice(0, at))
        this.#held = text.slice(at)
        return
      }
      this.#state = 'past'
      this.#to.text(text)
      return
    }
  }

  end(): void {
    const held = this.#held
    this.#held = ''
    if (this.#state === 'inside') this.#to.reasoning(held)
    else if (held !== '') this.#to.text(held)
    this.#state = 'past'
  }
}

/**
 * The index where the longest end of the text starts that may be the start of the mark;
 * the text's length if none.
 */
export function startOfPartialMark(text: string, mark: string): number {
  const tail = text.slice(-(mark.length - 1)).toLowerCase()
  for (let size = tail.length; size > 0; size--)
    if (mark.startsWith(tail.slice(-size))) return text.length - size
  return text.length
}
