/** Writes one JSON value piece by piece: the same text however the strings in it were cut. */

interface Sink {
  put(text: string): void
}

export class JsonWriter {
  readonly #to: Sink
  /** Of each open object or list: whether something stands in it. */
  readonly #levels: { readonly end: string; isEmpty: boolean }[] = []
  #isAfterKey = false
  #isInString = false
  #high = ''

  constructor(to: Sink) {
    this.#to = to
  }

  open(kind: '{' | '['): void {
    this.#to.put(this.#comma() + kind)
    this.#levels.push({ end: kind === '{' ? '}' : ']', isEmpty: true })
  }

  close(): void {
    this.#to.put(this.#levels.pop()?.end ?? '')
  }

  key(text: string): void {
    this.#to.put(`${this.#comma()}${JSON.stringify(text)}:`)
    this.#isAfterKey = true
  }

  /** Takes the next part of a string as it stands; false when it can not stand so, and then `piece` takes it. */
  plain(text: string): boolean {
    if (!this.#isInString || this.#high !== '' || !isPlain(text)) return false
    this.#to.put(text)
    return true
  }

  /** The next part of a string, which the first of them begins. */
  piece(text: string): void {
    let whole = text
    if (this.#high !== '') {
      whole = this.#high + text
      this.#high = ''
    }
    const last = whole.charCodeAt(whole.length - 1)
    if (last >= 0xd800 && last <= 0xdbff) {
      this.#high = whole.slice(-1)
      whole = whole.slice(0, -1)
    }
    const inner = escaped(whole)
    if (this.#isInString) {
      if (inner !== '') this.#to.put(inner)
      return
    }
    this.#isInString = true
    this.#to.put(`${this.#comma()}"${inner}`)
  }

  endString(): void {
    if (!this.#isInString) this.piece('')
    const rest = escaped(this.#high)
    this.#high = ''
    this.#isInString = false
    this.#to.put(`${rest}"`)
  }

  /** A number, a literal, or a whole value that is JSON already. */
  raw(text: string): void {
    this.#to.put(this.#comma() + text)
  }

  #comma(): string {
    if (this.#isAfterKey) {
      this.#isAfterKey = false
      return ''
    }
    const level = this.#levels.at(-1)
    if (level === undefined) return ''
    const comma = level.isEmpty ? '' : ','
    level.isEmpty = false
    return comma
  }
}

/** Text as it stands within a JSON string. Most pieces are short and have nothing to escape. */
function escaped(text: string): string {
  return isPlain(text) ? text : JSON.stringify(text).slice(1, -1)
}

function isPlain(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < 32 || code === 34 || code === 92 || (code >= 0xd800 && code <= 0xdfff)) return false
  }
  return true
}
