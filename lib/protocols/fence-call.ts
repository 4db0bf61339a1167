/** One object within a fence: the call that its `function_name` makes it, or something said when it has none. */
import type { JsonListener } from './json-sax'
import { JsonWriter } from './json-writer'
import type { Out } from './out'

export class FenceCall implements JsonListener {
  readonly #out: Out
  readonly #writer = new JsonWriter({ put: (text) => this.#put(text) })
  #depth = 0
  #isName = false
  #name: string | undefined
  #isOpen = false
  #early = ''

  constructor(out: Out) {
    this.#out = out
  }

  /** Whether it is known to be a call. */
  get isCall(): boolean {
    return this.#name !== undefined
  }

  open(kind: '{' | '['): void {
    this.#depth += 1
    this.#isName = false
    this.#writer.open(kind)
  }

  close(): void {
    this.#depth -= 1
    this.#writer.close()
    if (this.#depth === 0 && this.#isOpen) this.#out.close()
  }

  key(text: string): void {
    // A parameter of that name comes second.
    this.#isName = this.#depth === 1 && this.#name === undefined && text === 'function_name'
    if (this.#isName) this.#name = ''
    else this.#writer.key(text)
  }

  piece(text: string): void {
    if (this.#isName) this.#name += text
    else this.#writer.piece(text)
  }

  endString(): void {
    if (this.#isName) this.#start()
    else this.#writer.endString()
  }

  scalar(text: string): void {
    if (this.#isName) this.#start()
    else this.#writer.raw(text)
  }

  /** The call is to be told as broken, under its name if that is known. */
  giveUp(): void {
    if (!this.#isOpen) this.#start()
  }

  #start(): void {
    this.#isName = false
    this.#isOpen = true
    this.#out.open(this.#name ?? '')
    this.#out.put(this.#early)
    this.#early = ''
  }

  #put(text: string): void {
    if (this.#isOpen) this.#out.put(text)
    else this.#early += text
  }
}
