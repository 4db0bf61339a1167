/** Where a decoder of a text format puts what it has read: text for the reader, and calls, one open at a time. */
import type { InvalidCall } from '#lib/spec/message'
import type { ModelChunk } from '#lib/spec/model'

const nothing: readonly ModelChunk[] = []

export class Out {
  readonly warnings: string[] = []
  readonly #toName: (wire: string) => string
  #chunks: ModelChunk[] = []
  /** What grows until something else comes, or is taken. */
  #kind: 'text' | 'reasoning' | 'call.args' = 'text'
  #grown = ''
  #space = ''
  #isSaying = false
  #calls = 0
  #isOpen = false
  #first = ''
  #last = ''

  /** @param toName the tool meant by a name as the model wrote it */
  constructor(toName: (wire: string) => string) {
    this.#toName = toName
  }

  /** How many calls were opened. */
  get calls(): number {
    return this.#calls
  }

  take(): readonly ModelChunk[] {
    const text = this.#grown
    if (this.#chunks.length === 0) {
      if (text === '') return nothing
      this.#grown = ''
      return [this.#chunk(text)]
    }
    this.#settle()
    const taken = this.#chunks
    this.#chunks = []
    return taken
  }

  pass(chunk: ModelChunk): void {
    this.#settle()
    this.#chunks.push(chunk)
  }

  /** White space at the start and between calls is shown only when more comes after it. */
  text(text: string): void {
    if (text === '') return
    if (!this.#isSaying && !/\S/.test(text)) {
      this.#space += text
      return
    }
    this.#grow('text', this.#space === '' ? text : this.#space + text)
    this.#space = ''
    this.#isSaying = true
  }

  reasoning(text: string): void {
    if (text !== '') this.#grow('reasoning', text)
  }

  open(name: string): void {
    this.#space = ''
    this.#isSaying = false
    this.#isOpen = true
    this.#first = ''
    this.#last = ''
    this.pass({ type: 'call.start', index: this.#calls++, name: this.#toName(name.trim()) })
  }

  /** The next piece of the open call's arguments. */
  put(text: string): void {
    if (text === '') return
    if (this.#first === '') this.#first = text
    this.#last = text
    this.#grow('call.args', text)
  }

  close(): void {
    this.#isOpen = false
    this.pass({ type: 'call.end', index: this.#calls - 1 })
  }

  /** Ends the open call, or one without a name, as one that must not run. */
  broken(invalid: InvalidCall): void {
    if (!this.#isOpen) this.open('')
    // Whoever reads only the arguments must not take them for whole.
    if (!this.#first.startsWith('{') || this.#last.endsWith('}')) this.put('{')
    this.#isOpen = false
    this.pass({ type: 'call.end', index: this.#calls - 1, invalid })
  }

  #grow(kind: 'text' | 'reasoning' | 'call.args', text: string): void {
    if (this.#kind !== kind) this.#settle()
    this.#kind = kind
    this.#grown += text
  }

  #settle(): void {
    const text = this.#grown
    if (text === '') return
    this.#grown = ''
    this.#chunks.push(this.#chunk(text))
  }

  #chunk(text: string): ModelChunk {
    return this.#kind === 'call.args'
      ? { type: 'call.args', index: this.#calls - 1, text }
      : { type: this.#kind, text }
  }

  warn(words: string): void {
    this.warnings.push(words)
  }
}

export function cutOff(): InvalidCall {
  return {
    code: 'truncated',
    message: 'The answer ended before this call was complete, so it was not run. Write the whole call again.',
  }
}

export function malformed(message: string, code: InvalidCall['code'] = 'args_json'): InvalidCall {
  return { code, message: `The call could not be read, so it was not run: ${message}` }
}
