/** Reads the texts of a JSON object while it arrives in pieces: its own members whose values are strings. */

const quote = 34
const backslash = 92

export class ArrivingTexts {
  /** As far as they have arrived, by key. */
  readonly texts = new Map<string, string>()
  #depth = 0
  #isObject = false
  #awaitsKey = false
  #key = ''
  /** What the string is that the text stands in; null outside of strings. */
  #reading: 'key' | 'value' | 'other' | null = null
  /** An escape that has begun: `\\u00`. */
  #escape = ''

  /** Reads each character once. */
  push(piece: string): void {
    let at = 0
    while (at < piece.length) at = this.#reading === null ? this.#outside(piece, at) : this.#inside(piece, at)
  }

  #outside(piece: string, at: number): number {
    const character = piece[at]
    if (character === '"') this.#begin()
    else if (character === '{' || character === '[') {
      this.#depth += 1
      if (this.#depth === 1) {
        this.#isObject = character === '{'
        this.#awaitsKey = this.#isObject
      }
    } else if (character === '}' || character === ']') this.#depth -= 1
    else if (this.#depth === 1 && character === ',') this.#awaitsKey = this.#isObject
    else if (this.#depth === 1 && character === ':') this.#awaitsKey = false
    return at + 1
  }

  #begin(): void {
    if (this.#depth !== 1 || !this.#isObject) this.#reading = 'other'
    else if (this.#awaitsKey) {
      this.#reading = 'key'
      this.#key = ''
    } else {
      this.#reading = 'value'
      this.texts.set(this.#key, '')
    }
  }

  #inside(piece: string, from: number): number {
    if (this.#escape !== '') return this.#escaped(piece, from)
    let at = from
    while (at < piece.length) {
      const unit = piece.charCodeAt(at)
      if (unit === quote || unit === backslash) break
      at += 1
    }
    if (at > from) this.#add(piece.slice(from, at))
    if (at === piece.length) return at
    if (piece.charCodeAt(at) === quote) this.#reading = null
    else this.#escape = '\\'
    return at + 1
  }

  #escaped(piece: string, at: number): number {
    this.#escape += piece[at]
    const [, kind = ''] = this.#escape
    if (kind === 'u' && this.#escape.length < 6) return at + 1
    this.#add(kind === 'u' ? String.fromCharCode(Number.parseInt(this.#escape.slice(2), 16)) : plain(kind))
    this.#escape = ''
    return at + 1
  }

  #add(text: string): void {
    if (this.#reading === 'key') this.#key += text
    else if (this.#reading === 'value') this.texts.set(this.#key, `${this.texts.get(this.#key)}${text}`)
  }
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

function plain(kind: string): string {
  return escapes[kind] ?? kind
}
