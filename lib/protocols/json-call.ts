/**
 * Reads one call in JSON: its name and arguments in any order, under any of the keys
 * that models use for them.
 */
import type { JsonListener } from './json-sax'
import { JsonWriter } from './json-writer'
import type { Out } from './out'

const nameKeys = new Set(['name', 'tool', 'tool_name', 'function_name'])
const argsKeys = new Set(['arguments', 'args', 'parameters', 'input'])

/** Receives the content of the call's object, without its outer braces. */
export class JsonCall implements JsonListener {
  readonly #out: Out
  #name = ''
  #isOpen = false
  /** Arguments that came before the name. */
  #early = ''
  #hasArgs = false
  #writer: JsonWriter | undefined
  #field: 'name' | 'args' | 'function' | 'other' = 'other'
  /** The number of open objects and lists inside the current field. */
  #depth = 0
  #isInFunction = false

  constructor(out: Out) {
    this.#out = out
  }

  open(kind: '{' | '['): void {
    if (this.#depth === 0 && this.#field === 'function' && kind === '{' && !this.#isInFunction) {
      this.#isInFunction = true
      return
    }
    if (this.#depth === 0 && this.#field === 'args') this.#begin()
    this.#depth += 1
    this.#writer?.open(kind)
  }

  close(): void {
    if (this.#depth === 0) {
      this.#isInFunction = false
      return
    }
    this.#depth -= 1
    this.#writer?.close()
    if (this.#depth === 0) this.#writer = undefined
  }

  key(text: string): void {
    if (this.#depth > 0) {
      this.#writer?.key(text)
      return
    }
    const key = text.toLowerCase()
    if (argsKeys.has(key)) this.#field = 'args'
    else if (nameKeys.has(key)) this.#field = 'name'
    else this.#field = key === 'function' ? 'function' : 'other'
  }

  piece(text: string): void {
    if (this.#depth > 0) this.#writer?.piece(text)
    else if (this.#field === 'args') {
      this.#hasArgs = true
      this.#put(text)
    } else if ((this.#field === 'name' || this.#field === 'function') && !this.#isOpen) this.#name += text
  }

  endString(): void {
    if (this.#depth > 0) {
      this.#writer?.endString()
      return
    }
    if (this.#field === 'args') this.#hasArgs = true
    else if (this.#field !== 'other' && !this.#isOpen && this.#name !== '') this.#start()
  }

  scalar(text: string): void {
    if (this.#depth > 0) this.#writer?.raw(text)
    else if (this.#field === 'args') {
      this.#hasArgs = true
      this.#put(text)
    }
  }

  /** Called when the call's object has ended. */
  end(): void {
    if (!this.#isOpen) this.#start()
    if (!this.#hasArgs) this.#put('{}')
    this.#out.close()
  }

  /**
   * Opens the call if it is not open yet, so that the caller can report it as broken, with its name if known.
   */
  giveUp(): void {
    if (!this.#isOpen) this.#start()
  }

  #begin(): void {
    if (this.#hasArgs) this.#out.warn('A call gave its arguments twice; the first ones are used.')
    else this.#writer = new JsonWriter({ put: (text) => this.#put(text) })
    this.#hasArgs = true
  }

  #start(): void {
    this.#isOpen = true
    this.#out.open(this.#name)
    this.#out.put(this.#early)
    this.#early = ''
  }

  #put(text: string): void {
    if (this.#isOpen) this.#out.put(text)
    else this.#early += text
  }
}
