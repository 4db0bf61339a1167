/**
 * Reads one JSON value from text that arrives in pieces and reports each part; each character is read once.
 * Accepts the deviations from strict JSON that models are known to write: trailing commas, comments, single
 * and curly quotes, bare line breaks in strings. Nothing else is guessed: the first character that cannot
 * be read ends the reading.
 */

export interface JsonListener {
  open(kind: '{' | '['): void
  close(): void
  key(text: string): void
  /** The next part of a string value. */
  piece(text: string): void
  endString(): void
  /** A number, `true`, `false` or `null`, as valid JSON. */
  scalar(text: string): void
}

type Expected = 'value' | 'key' | 'colon' | 'comma'

const closers: Record<string, string> = { '"': '"', "'": "'", '“': '”“', '”': '”“' }
const escapes: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', '/': '/', '\\': '\\' }
const bare = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/
const stops: Record<string, RegExp> = {
  '"': /["\\\n\r\t]/g,
  "'": /['\\\n\r\t]/g,
  '”“': /[”“\\\n\r\t]/g,
}

export class JsonSax {
  /** Why reading stopped, in a text for the model; undefined if there was no error. */
  error: string | undefined
  /** Whether the text had a deviation that strict JSON does not allow. */
  isMended = false
  readonly #to: JsonListener
  readonly #open: ('{' | '[')[] = []
  #expected: Expected = 'value'
  #isDone = false
  #hasComma = false
  /** The quotes that end the current string; empty outside a string. */
  #closer = ''
  #isKey = false
  #key = ''
  #escape = ''
  /** The part of a string value that was read but not yet reported. */
  #said = ''
  #word = ''
  #comment: '' | '/' | '//' | '/*' | '/**' = ''

  constructor(to: JsonListener) {
    this.#to = to
  }

  /** Whether the value is complete or cannot be read further. */
  get isOver(): boolean {
    return this.#isDone || this.error !== undefined
  }

  /** Reads from index `from`. Returns the index where the value ended, or the length of the text. */
  push(text: string, from: number): number {
    let at = from
    while (at < text.length && !this.isOver) {
      if (this.#closer !== '') at = this.#inString(text, at)
      else if (this.#comment !== '') at = this.#inComment(text, at)
      else if (this.#word !== '') at = this.#inWord(text, at)
      else at = this.#between(text, at)
    }
    this.#tell(false)
    return at
  }

  #fail(why: string): void {
    this.error ??= why
  }

  #between(text: string, at: number): number {
    const char = text[at] ?? ''
    switch (char) {
      case ' ':
      case '\n':
      case '\r':
      case '\t':
        return at + 1
      case '/':
        this.#comment = '/'
        return at + 1
      case '{':
      case '[':
        if (this.#expected !== 'value') this.#fail(`unexpected ${char}`)
        else {
          this.#to.open(char)
          this.#open.push(char)
          this.#expected = char === '{' ? 'key' : 'value'
          this.#hasComma = false
        }
        return at + 1
      case '}':
      case ']':
        this.#end(char)
        return at + 1
      case ',':
        if (this.#expected !== 'comma' || this.#open.length === 0) this.#fail('unexpected ,')
        this.#expected = this.#open.at(-1) === '{' ? 'key' : 'value'
        this.#hasComma = true
        return at + 1
      case ':':
        if (this.#expected !== 'colon') this.#fail('unexpected :')
        this.#expected = 'value'
        this.#hasComma = false
        return at + 1
      default:
        // A letter, a digit or a quote: it begins a word or a text, below.
        break
    }
    const closer = closers[char]
    if (closer === undefined) {
      if (this.#expected !== 'value')
        this.#fail(`unexpected ${JSON.stringify(char)}, where ${this.#expected} is expected`)
      this.#word = char
      return at + 1
    }
    if (this.#expected !== 'value' && this.#expected !== 'key') this.#fail('unexpected string')
    if (char !== '"') this.isMended = true
    this.#isKey = this.#expected === 'key'
    this.#key = ''
    this.#closer = closer
    return at + 1
  }

  #end(char: '}' | ']'): void {
    const isObject = this.#open.at(-1) === '{'
    const isEmptyEnd = this.#expected === (isObject ? 'key' : 'value')
    if (
      this.#open.length === 0 ||
      isObject !== (char === '}') ||
      !(this.#expected === 'comma' || isEmptyEnd)
    ) {
      this.#fail(`unexpected ${char}`)
      return
    }
    if (isEmptyEnd && this.#hasComma) this.isMended = true
    this.#open.pop()
    this.#to.close()
    this.#valueEnded()
  }

  #valueEnded(): void {
    this.#hasComma = false
    this.#expected = 'comma'
    this.#isDone = this.#open.length === 0
  }

  #inWord(text: string, at: number): number {
    const rest = /[\s,\]}:"/]/g
    rest.lastIndex = at
    const end = rest.exec(text)?.index ?? text.length
    this.#word += text.slice(at, end)
    if (this.#word.length > 400) this.#fail('a number is too long')
    if (end === text.length) return end
    const word = this.#word
    this.#word = ''
    if (bare.test(word)) {
      this.#to.scalar(word)
      this.#valueEnded()
    } else this.#fail(`${JSON.stringify(word.slice(0, 40))} is not a JSON value`)
    return end
  }

  #inComment(text: string, at: number): number {
    const char = text[at] ?? ''
    if (this.#comment === '/') {
      if (char !== '/' && char !== '*') this.#fail('unexpected /')
      this.isMended = true
      this.#comment = char === '/' ? '//' : '/*'
      return at + 1
    }
    if (this.#comment === '//') {
      const end = text.indexOf('\n', at)
      if (end < 0) return text.length
      this.#comment = ''
      return end + 1
    }
    if (this.#comment === '/**' && char === '/') this.#comment = ''
    else this.#comment = char === '*' ? '/**' : '/*'
    return at + 1
  }

  #inString(text: string, at: number): number {
    if (this.#escape !== '') return this.#inEscape(text, at)
    const stop = stops[this.#closer] ?? /["\\]/g
    stop.lastIndex = at
    const end = stop.exec(text)?.index ?? text.length
    if (end > at) this.#say(text.slice(at, end))
    if (end === text.length) return end
    const char = text[end] ?? ''
    if (char === '\\') this.#escape = '\\'
    else if (this.#closer.includes(char)) this.#endString()
    else {
      this.isMended = true
      this.#say(char)
    }
    return end + 1
  }

  #inEscape(text: string, at: number): number {
    this.#escape += text[at] ?? ''
    const [, kind = ''] = this.#escape
    if (kind === 'u') {
      if (!/^\\u[0-9a-fA-F]{0,4}$/.test(this.#escape)) this.#fail(`${this.#escape} is not an escape in JSON`)
      else if (this.#escape.length === 6) {
        this.#say(String.fromCharCode(Number.parseInt(this.#escape.slice(2), 16)))
        this.#escape = ''
      }
      return at + 1
    }
    const said = escapes[kind] ?? ('"\'“”'.includes(kind) ? kind : undefined)
    if (said === undefined)
      this.#fail(`\\${kind} is not an escape in JSON; a backslash in text is written \\\\`)
    else this.#say(said)
    this.#escape = ''
    return at + 1
  }

  #say(text: string): void {
    if (this.#isKey) {
      this.#key += text
      return
    }
    this.#said += text
  }

  /** Reports at most one piece of a string per push, and never half of a surrogate pair. */
  #tell(isEnd: boolean): void {
    const said = this.#said
    if (said === '') return
    const last = said.charCodeAt(said.length - 1)
    const kept = !isEnd && last >= 0xd800 && last <= 0xdbff ? 1 : 0
    this.#said = kept === 1 ? said.slice(-1) : ''
    if (said.length > kept) this.#to.piece(kept === 1 ? said.slice(0, -1) : said)
  }

  #endString(): void {
    this.#closer = ''
    if (this.#isKey) {
      this.#to.key(this.#key)
      this.#expected = 'colon'
      return
    }
    this.#tell(true)
    this.#to.endString()
    this.#valueEnded()
  }
}
