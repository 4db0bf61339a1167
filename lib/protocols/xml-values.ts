/**
 * Writes the arguments of one XML call as JSON while they arrive: text at once, typed values when they end.
 */
import { tryParseJson } from '#lib/spec/json'
import { addTo } from '#lib/spec/lists'
import { JsonWriter } from './json-writer'
import type { Out } from './out'
import type { ParameterKind, Parameters } from './parameter-kinds'

export class XmlValues {
  readonly #out: Out
  readonly #parameters: Parameters | undefined
  readonly #writer: JsonWriter
  readonly #seen = new Set<string>()
  /** Values that may be items of one list, by parameter name. */
  readonly #lists = new Map<string, string[]>()
  /** The list given last. It is written once another parameter or the end shows that it is complete. */
  #waiting: string | undefined
  #key = ''
  #kind: ParameterKind = 'text'
  #typed = ''
  /** A line end that is not part of the value if the value ends here. */
  #lineEnd = ''

  /** @param parameters the tool's parameters, if the tool exists */
  constructor(out: Out, parameters: Parameters | undefined) {
    this.#out = out
    this.#parameters = parameters
    this.#writer = new JsonWriter(out)
    this.#writer.open('{')
  }

  begin(key: string): void {
    if (key !== this.#waiting) this.#writeWaiting()
    this.#key = key
    this.#kind = this.#parameters?.kind(key) ?? 'text'
    this.#typed = ''
    this.#lineEnd = ''
    if (this.#seen.has(key) && this.#kind !== 'list')
      this.#out.warn(`The parameter ${key} was given more than once; the last value is used.`)
    this.#seen.add(key)
    if (this.#kind === 'text') {
      this.#writer.key(key)
      this.#writer.piece('')
    }
  }

  /** Takes a piece of text without characters to escape; returns false if held text must be written first. */
  takes(piece: string): boolean {
    if (this.#kind !== 'text' || this.#lineEnd !== '' || !this.#writer.isReady) return false
    this.#out.putWhole(piece)
    return true
  }

  /** @param verbatim line ends at the end of the text belong to the value */
  piece(text: string, verbatim: boolean): void {
    if (text === '') return
    if (this.#kind !== 'text') {
      this.#typed += text
      return
    }
    if (verbatim) {
      this.#writer.piece(text)
      return
    }
    let whole = text
    if (this.#lineEnd !== '') {
      whole = this.#lineEnd + text
      this.#lineEnd = ''
    }
    const last = whole.charCodeAt(whole.length - 1)
    if (last === 10 || last === 13) {
      const from = whole.endsWith('\r\n') ? 2 : 1
      this.#lineEnd = whole.slice(-from)
      whole = whole.slice(0, -from)
      if (whole === '') return
    }
    this.#writer.piece(whole)
  }

  end(): void {
    switch (this.#kind) {
      case 'text':
        if (this.#lineEnd === '\r') this.#writer.piece('\r')
        this.#writer.endString()
        return
      case 'json':
        this.#writer.key(this.#key)
        this.#writeTyped(this.#typed)
        return
      case 'list': {
        addTo(this.#lists, this.#key, this.#typed)
        this.#waiting = this.#key
        return
      }
    }
    this.#kind satisfies never
  }

  /** Whether the call may be complete, with only closing tags missing. */
  get isPlausible(): boolean {
    if (this.#parameters === undefined) return false
    const { names, required } = this.#parameters
    return (this.#seen.size > 0 || names.size === 0) && required.every((each) => this.#seen.has(each))
  }

  close(): void {
    this.#writeWaiting()
    this.#writer.close()
  }

  /**
   * Writes a list at the place where the model wrote it. If more items come after other parameters, the whole
   * list is written again: a JSON reader keeps the first position and the last value of a repeated key.
   */
  #writeWaiting(): void {
    const key = this.#waiting
    if (key === undefined) return
    this.#waiting = undefined
    const given = this.#lists.get(key) ?? []
    this.#writer.key(key)
    if (given.length === 1) this.#writeTyped(given[0] ?? '')
    else this.#writer.raw(JSON.stringify(given.flatMap(itemsIn)))
  }

  /** Invalid JSON stays text; checking it against the tool's schema then reports what is expected. */
  #writeTyped(text: string): void {
    const inner = text.trim()
    if (tryParseJson(inner) !== undefined) this.#writer.raw(inner)
    else {
      this.#writer.piece(inner)
      this.#writer.endString()
    }
  }
}

function itemsIn(text: string): unknown[] {
  const value = tryParseJson(text.trim())
  if (value === undefined) return [text]
  return Array.isArray(value) ? value : [value]
}
