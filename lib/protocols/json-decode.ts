/** Reads answers in the JSON format from text that arrives in pieces; anything else is plain text. */
import { JsonAnswer } from './json-answer'
import type { InnerMachine } from './json-inner'
import { JsonSax } from './json-sax'
import { startOf } from './json-start'
import { malformedCall, type Out } from './out'
import { Prose } from './prose'
import type { Machine } from './reader'

/** How many levels of answers nested as strings are read. */
const mostInside = 2
/** A whole answer that was quoted as a JSON string. */
const quoted = /^\s*"\s*\{\s*\\"/
const mayBeQuoted = /^\s*(?:"\s*(?:\{\s*\\?)?)?$/

export class JsonMachine implements Machine, InnerMachine {
  readonly #out: Out
  readonly #isTool: (name: string) => boolean
  readonly #prose = new Prose('{')
  /** Text that may be the start of an answer. */
  #held = ''
  #answer:
    | { readonly of: JsonAnswer; readonly sax: JsonSax; readonly isFenced: boolean; readonly isQuoted?: true }
    | undefined
  readonly #depth: number
  #hasCalled = false
  /** An answer has ended inside a code fence; the end of the fence is not text. */
  #isAfterFenced = false
  #hasSaid = false
  /** So far only text that may start a quoted answer has arrived. */
  #isFresh = true
  /**
   * `final` after the answer that ends the run, `broken` after one that could not be
   * read. Later text is dropped.
   */
  #rest: 'text' | 'final' | 'broken' = 'text'

  /** @param depth how many answers this one is nested in */
  constructor(out: Out, isTool: (name: string) => boolean, depth = 0) {
    this.#out = out
    this.#isTool = isTool
    this.#depth = depth
  }

  get isFinal(): boolean {
    return !this.#hasCalled
  }

  text(piece: string): void {
    let text = this.#held + piece
    this.#held = ''
    if (!this.#hasSaid && text.startsWith('\ufeff')) text = text.slice(1)
    let at = 0
    if (this.#isFresh && this.#depth === 0) {
      if (mayBeQuoted.test(text) && text.length < 100) {
        this.#held = text
        return
      }
      this.#isFresh = false
      if (quoted.test(text)) this.#beginQuoted()
    }
    while (at < text.length) {
      if (this.#rest !== 'text') {
        this.#drop(text.slice(at))
        return
      }
      const next = this.#answer === undefined ? this.#inText(text, at) : this.#inAnswer(text, at)
      if (next < 0) {
        this.#held = text.slice(-next - 1)
        return
      }
      at = next
    }
  }

  #drop(text: string): void {
    if (this.#rest === 'final' && /[^\s`]/.test(text)) {
      this.#out.warn('There was text after the answer; it was left out.')
      this.#rest = 'broken'
    }
  }

  #inText(text: string, given: number): number {
    let at = given
    if (this.#isAfterFenced) {
      const found = /[^\s,]/g
      found.lastIndex = at
      at = found.exec(text)?.index ?? text.length
      if (at === text.length) return at
      if (text[at] === '`') {
        const run = /`*/y
        run.lastIndex = at
        run.exec(text)
        at = run.lastIndex
        if (at === text.length) return at
      }
      this.#isAfterFenced = false
      this.#prose.resume(true)
    }
    const found = this.#prose.find(text, at)
    const end = found < 0 ? text.length : found
    this.#say(text.slice(at, end))
    if (found < 0) return end
    const start = startOf(text.slice(found), !this.#hasSaid, this.#isTool)
    if (start === 'more') return -1 - found
    if (start === 'other') return this.#plain(text, found)
    const of = this.#newAnswer(start.kind === 'call')
    this.#answer = { of, sax: new JsonSax(of), isFenced: start.at > 0 }
    return found + start.at
  }

  #newAnswer(isCall: boolean): JsonAnswer {
    const depth = this.#depth + 1
    const isTool = this.#isTool
    const machine = () => new JsonMachine(this.#out, isTool, depth)
    return new JsonAnswer(this.#out, isCall, depth > mostInside ? undefined : { isTool, machine })
  }

  /** Reads the quoted answer as if it were an object with this text as its only value. */
  #beginQuoted(): void {
    const of = this.#newAnswer(false)
    const sax = new JsonSax(of)
    sax.push('{"response":', 0)
    this.#answer = { of, sax, isFenced: false, isQuoted: true }
  }

  /** Passes one character, or a whole run of backticks, as text; an answer may start right after it. */
  #plain(text: string, at: number): number {
    const size = /^`+|^./s.exec(text.slice(at, at + 400))?.[0].length ?? 1
    const said = text.slice(at, at + size)
    this.#say(said)
    this.#prose.take(said)
    return at + size
  }

  #say(text: string): void {
    if (/\S/.test(text)) this.#hasSaid = true
    this.#out.text(text)
  }

  #inAnswer(text: string, at: number): number {
    if (this.#answer === undefined) return at
    const { of, sax, isFenced } = this.#answer
    const end = sax.push(text, at)
    if (!sax.isOver) return end
    this.#answer = undefined
    this.#hasSaid = true
    if (sax.isMended) this.#out.warn('The JSON of the answer was not strictly valid, but it could be read.')
    if (sax.error !== undefined) {
      of.giveUp()
      this.#out.broken(malformedCall(`its JSON is not valid: ${sax.error}.`))
      this.#rest = 'broken'
      return end
    }
    of.end()
    if (of.isFinal) this.#rest = 'final'
    else this.#hasCalled = true
    this.#isAfterFenced = isFenced
    this.#prose.resume(true)
    return end
  }

  end(): void {
    const held = this.#held
    this.#held = ''
    // A quoted answer ends with its string.
    if (this.#answer?.isQuoted === true) this.#inAnswer('}', 0)
    if (this.#answer === undefined) {
      this.#out.text(held)
      return
    }
    const { of } = this.#answer
    this.#answer = undefined
    of.cut()
  }
}
