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

  /** Whether what is special in no way may go on in the string as it is. */
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

  /** The next part of a string, which the first of them begins. */
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

/** What stands for each character that may not stand for itself within a JSON string, by its code. */
const escapes = Array.from({ length: 93 }, (_, code) =>
  JSON.stringify(String.fromCharCode(code)).slice(1, -1),
)

/** What a character may be within a value: none of both, or a sum. */
export const mark = { escape: 1, tag: 2 } as const

/** What each character is, by its code: it must be escaped within a JSON string, or begins a tag. */
const marks = new Uint8Array(65_536).fill(mark.escape, 0, 32).fill(mark.escape, 0xd800, 0xe000)
marks[34] = mark.escape
marks[92] = mark.escape
marks[60] = mark.tag

/** All that the characters of a text are. No question is asked of a single one, since all of a value comes by here. */
export function marksIn(text: string): number {
  let found = 0
  for (let index = 0; index < text.length; index++) found |= marks[text.charCodeAt(index)] ?? 0
  return found
}

/** Text as it stands within a JSON string. */
function escapeText(text: string): string {
  let told = ''
  let past = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (marks[code] !== mark.escape) continue
    // Whether half a pair stands alone is known best by what knows pairs.
    if (code > 92) return JSON.stringify(text).slice(1, -1)
    told += text.slice(past, index) + escapes[code]
    past = index + 1
  }
  return past === 0 ? text : told + text.slice(past)
}
