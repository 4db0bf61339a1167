/**
 * Reads an answer that is nested as a string: `{"response": "{\"action\": …}"}`. A string that does not start
 * like an answer is plain text.
 */
import { startOf } from './json-start'
import type { Out } from './out'

/** A machine that knows whether the answer it read ends the run. */
export interface InnerMachine {
  text(piece: string): void
  end(): void
  readonly isFinal: boolean
}

export interface Inside {
  isTool(name: string): boolean
  machine(): InnerMachine
}

/** Receives the unescaped text of one string. */
export class JsonInner {
  readonly #out: Out
  readonly #inside: Inside
  #held = ''
  /** Undefined while it is not decided, null for plain text. */
  #machine: InnerMachine | null | undefined

  constructor(out: Out, inside: Inside) {
    this.#out = out
    this.#inside = inside
  }

  get isAnswer(): boolean {
    return this.#machine != null
  }

  get isFinal(): boolean {
    return this.#machine?.isFinal ?? true
  }

  text(piece: string): void {
    if (this.#machine !== undefined) {
      this.#say(piece)
      return
    }
    this.#held += piece
    const start = startOf(this.#held.trimStart(), true, this.#inside.isTool)
    if (start === 'more') return
    this.#machine = start === 'other' ? null : this.#inside.machine()
    this.#release()
  }

  end(): void {
    this.#machine ??= null
    this.#release()
    this.#machine?.end()
  }

  #release(): void {
    const held = this.#held
    this.#held = ''
    if (held !== '') this.#say(held)
  }

  #say(text: string): void {
    if (this.#machine == null) this.#out.text(text)
    else this.#machine.text(text)
  }
}
