/** Writes one JSON value piece by piece. The output does not depend on how its strings were cut. */

interface Sink {
  put(text: string): void
}

export class JsonWriter {
  readonly #to: Sink
  /** For each open object or list, whether it is still empty. */
  readonly #levels: { readonly end: string; isEmpty: boolean }[] = []
  #isAfterKey = false
  #isInString = false
  #high = ''

  constructor(to: Sink) {
    this.#to = to
  }

  /** Whether text without special characters can be added to the string unchanged. */
  get isReady(): boolean {
    return this.#isInString && this.#high === ''
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

  /** The next part of a string; the first part opens it. */
  piece(text: string): void {
    let whole = text
    if (this.#high !== '') {
      whole = this.#high + text
      this.#high = ''
    }
    const last = whole === '' ? 0 : whole.charCodeAt(whole.length - 1)
    if (last >= 0xd800 && last <= 0xdbff) {
      this.#high = whole.slice(-1)
      whole = whole.slice(0, -1)
    }
    const inner = escapeText(whole)
    if (this.#isInString) {
      if (inner !== '') this.#to.put(inner)
      return
    }
    this.#isInString = true
    this.#to.put(`${this.#comma()}"${inner}`)
  }

  endString(): void {
    if (!this.#isInString) this.piece('')
    const rest = escapeText(this.#high)
    this.#high = ''
    this.#isInString = false
    this.#to.put(`${rest}"`)
  }

  /** A number, a literal, or a complete value that is already JSON. */
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

/** The escaped form of each character that must be escaped in a JSON string, by character code. */
const escapes = Array.from({ length: 93 }, (_, code) =>
  JSON.stringify(String.fromCharCode(code)).slice(1, -1),
)

/** The marks of a character within a value: zero, or a sum of these. */
export const mark = { escape: 1, tag: 2 } as const

/** The marks of each character, by its code: it must be escaped in a JSON string, or it may start a tag. */
const marks = new Uint8Array(65_536).fill(mark.escape, 0, 32).fill(mark.escape, 0xd800, 0xe000)
marks[34] = mark.escape
marks[92] = mark.escape
marks[60] = mark.tag

/**
 * All marks of the characters in a text. The loop has no branches, because every argument of
 * a call passes through it.
 */
export function marksIn(text: string): number {
  let found = 0
  for (let index = 0; index < text.length; index++) found |= marks[text.charCodeAt(index)] ?? 0
  return found
}

/** Text as it is written within a JSON string. */
function escapeText(text: string): string {
  let told = ''
  let past = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (marks[code] !== mark.escape) continue
    // Above 92 only surrogates are marked. `JSON.stringify` knows which of them are unpaired.
    if (code > 92) return JSON.stringify(text).slice(1, -1)
    told += text.slice(past, index) + escapes[code]
    past = index + 1
  }
  return past === 0 ? text : told + text.slice(past)
}
