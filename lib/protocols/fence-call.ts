/** Reads one object inside a code fence: a call if it has a `function_name`, plain text otherwise. */
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

  /** Whether the object is known to be a call. */
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
    // The first `function_name` is the tool's name; a second one is a parameter with that name.
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

  /**
   * Opens the call if it is not open yet, so that the caller can report it as broken, with its name if known.
   */
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
