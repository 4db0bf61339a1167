/**
 * Where the decoder of a text format puts what it reads: text for the reader, and calls, one open at a time.
 */
import type { InvalidCall } from '#lib/spec/message'
import type { ModelChunk } from '#lib/spec/model'
import type { Listener } from '#lib/spec/protocol'

export class Out {
  readonly warnings: string[] = []
  readonly #listener: Listener
  readonly #toName: (wire: string) => string
  /** The kind of the text being collected, until another kind comes or `tell` sends it. */
  #kind: 'text' | 'reasoning' | 'call.args' = 'text'
  #grown = ''
  #space = ''
  #isSaying = false
  #calls = 0
  #isOpen = false
  #first = ''
  #last = ''

  /** @param toName maps a name as the model wrote it to the tool */
  constructor(listener: Listener, toName: (wire: string) => string) {
    this.#listener = listener
    this.#toName = toName
  }

  /** The number of calls opened so far. */
  get calls(): number {
    return this.#calls
  }

  /** Sends the collected text to the listener: after each piece, and before anything of another kind. */
  tell(): void {
    const text = this.#grown
    if (text === '') return
    this.#grown = ''
    if (this.#kind === 'call.args') this.#listener.hear({ type: 'call.args', index: this.#calls - 1, text })
    else this.#listener.hear({ type: this.#kind, text })
  }

  pass(chunk: ModelChunk): void {
    this.tell()
    this.#listener.hear(chunk)
  }

  /** White space at the start and between calls is passed on only if text follows it. */
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

  /**
   * Sends arguments that are exactly one piece of the answer, with nothing collected before or after them.
   */
  putWhole(text: string): void {
    if (text === '') return
    this.#last = text
    this.#listener.hear({ type: 'call.args', index: this.#calls - 1, text })
  }

  close(): void {
    this.#isOpen = false
    this.pass({ type: 'call.end', index: this.#calls - 1 })
  }

  /** Ends the open call, or a new one without a name, as a call that must not run. */
  broken(invalid: InvalidCall): void {
    if (!this.#isOpen) this.open('')
    // A reader that looks only at the arguments must not take them for complete JSON.
    if (!this.#first.startsWith('{') || this.#last.endsWith('}')) this.put('{')
    this.#isOpen = false
    this.pass({ type: 'call.end', index: this.#calls - 1, invalid })
  }

  #grow(kind: 'text' | 'reasoning' | 'call.args', text: string): void {
    if (this.#kind !== kind) {
      this.tell()
      this.#kind = kind
    }
    this.#grown += text
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

export function malformedCall(message: string, code: InvalidCall['code'] = 'args_json'): InvalidCall {
  return { code, message: `The call could not be read, so it was not run: ${message}` }
}
