/** Reads calls in fenced JSON from text that arrives in pieces; other fences are plain text. */
import { FenceCall } from './fence-call'
import { JsonSax } from './json-sax'
import { cutOff, malformedCall, type Out } from './out'
import { Pieces, type Stepping } from './pieces'
import { Prose } from './prose'
import type { Machine } from './reader'

const opening = /^(?:`{3,}[ \t]*(?:json[5c]?)?[ \t]*\r?\n\s*(?=\{)|(?=\{\s*"function_name"\s*:))/i
const mayOpen =
  /^(?:`{1,2}|`{3,}[ \t]*(?:j(?:s(?:o(?:n[5c]?)?)?)?)?[ \t]*(?:\r?(?:\n\s*)?)|\{\s*(?:"(?:\w{0,13}(?:"\s*)?)?)?)$/i
/** If the start of a call is not complete after this many characters, it is plain text. */
const longest = 300

interface Reading {
  readonly call: FenceCall
  readonly sax: JsonSax
  /** The text read so far, until the object is known to be a call. */
  raw: string[]
}

export class FenceMachine implements Machine, Stepping {
  readonly #out: Out
  readonly #prose = new Prose('{')
  readonly #pieces = new Pieces(this)
  #state: 'text' | 'object' | 'after' | 'closing' | 'broken' = 'text'
  #reading: Reading | undefined

  constructor(out: Out) {
    this.#out = out
  }

  text(piece: string): void {
    this.#pieces.read(piece)
  }

  step(text: string, at: number): number {
    switch (this.#state) {
      case 'text':
        return this.#inText(text, at)
      case 'object':
        return this.#inObject(text, at)
      case 'after':
        return this.#afterObject(text, at)
      case 'closing': {
        const run = /[^`]/g
        run.lastIndex = at
        const end = run.exec(text)?.index ?? text.length
        if (end < text.length) this.#state = 'text'
        return end
      }
      case 'broken': {
        const end = text.indexOf('```', at)
        if (end >= 0) this.#close()
        else if (text.endsWith('`')) return -1 - Math.max(at, text.length - 2)
        return end < 0 ? text.length : end
      }
    }
    return this.#state satisfies never
  }

  #inText(text: string, at: number): number {
    const found = this.#prose.find(text, at)
    const end = found < 0 ? text.length : found
    this.#out.text(text.slice(at, end))
    if (found < 0) return end
    const rest = text.slice(found)
    const opened = opening.exec(rest)?.[0]
    if (opened !== undefined) {
      this.#begin(opened)
      return found + opened.length
    }
    if (rest.length < longest && mayOpen.test(rest)) return -1 - found
    const said = /^`+|^./s.exec(rest)?.[0] ?? ''
    this.#say(said)
    return found + said.length
  }

  #begin(opened: string): void {
    const call = new FenceCall(this.#out)
    this.#reading = { call, sax: new JsonSax(call), raw: [opened] }
    this.#state = 'object'
  }

  #inObject(text: string, at: number): number {
    const reading = this.#reading
    if (reading === undefined) return at
    const { call, sax } = reading
    const end = sax.push(text, at)
    if (call.isCall) reading.raw = []
    else reading.raw.push(text.slice(at, end))
    if (!sax.isOver) return end
    this.#reading = undefined
    if (!call.isCall) {
      this.#state = 'text'
      this.#say(reading.raw.join(''))
      return end
    }
    if (sax.isMended) this.#out.warn('The JSON of a call was not strictly valid, but it could be read.')
    if (sax.error === undefined) {
      this.#state = 'after'
      return end
    }
    call.giveUp()
    this.#out.broken(malformedCall(`its JSON is not valid: ${sax.error}.`))
    this.#state = 'broken'
    return end
  }

  /** Expects another call or the end of the fence. */
  #afterObject(text: string, at: number): number {
    const next = /[^\s,]/g
    next.lastIndex = at
    const found = next.exec(text)?.index ?? text.length
    if (found === text.length) return found
    if (text[found] === '{') this.#begin('')
    else if (text[found] === '`') this.#close()
    else {
      // The model forgot to close the fence. If the end comes later, it does not belong to the text.
      this.#state = 'text'
      this.#prose.fenced(3)
    }
    return found
  }

  #close(): void {
    this.#state = 'closing'
    this.#prose.resume(true)
  }

  #say(text: string): void {
    this.#out.text(text)
    this.#prose.take(text)
  }

  end(): void {
    const held = this.#pieces.rest()
    const reading = this.#reading
    this.#reading = undefined
    if (this.#state === 'text') this.#out.text(held)
    if (reading === undefined) return
    if (reading.call.isCall) {
      reading.call.giveUp()
      this.#out.broken(cutOff())
    } else this.#out.text(reading.raw.join(''))
  }
}
