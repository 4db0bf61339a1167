/**
 * Reads the value of one parameter to its end, and tells the real end from the same tags inside the value.
 */
import { mark, marksIn } from './json-writer'
import { isSpace, mayHoldTag, type Tag, tagAt } from './xml-tags'
import type { XmlValues } from './xml-values'

const cdataOpen = '<![CDATA['
const cdataClose = ']]>'

/** What surrounds the value. */
export interface ValueContext {
  /** The parameters that the tool declares; each may be written as a tag of its own. */
  readonly elements: ReadonlySet<string>
  /** The element that this value is written in, if it is not a `parameter` tag. */
  readonly element: string | undefined
}

/**
 * `head`: only white space so far · `value`: inside the value · `cdata`: inside its CDATA ·
 * `after`: after a possible end.
 */
type State = 'head' | 'value' | 'cdata' | 'after'

export class XmlValue {
  /** Set when the value has ended: alone, or together with its call. */
  ended: 'value' | 'call' | undefined
  readonly #values: XmlValues
  readonly #elements: ReadonlySet<string>
  readonly #element: string | undefined
  #state: State = 'head'
  /** The number of open parameters inside the value itself; `#innerCalls` counts open calls the same way. */
  #depth = 0
  #innerCalls = 0
  /** White space at the start, or after a possible end. */
  #space = ''
  /** The text of the possible end. */
  #closer = ''
  /** For a possible end while inner parameters are open: the end of the call has been seen too. */
  #endsCall = false
  #inCdata = false

  constructor(values: XmlValues, { elements, element }: ValueContext) {
    this.#values = values
    this.#elements = elements
    this.#element = element
  }

  /**
   * Takes a piece that belongs to the value as a whole; returns false if the piece must be read step by step.
   */
  takes(piece: string): boolean {
    if (this.#state !== 'value') return false
    const marks = marksIn(piece)
    if (marks >= mark.tag && (this.#element !== undefined || mayHoldTag(piece))) return false
    if ((marks & mark.escape) !== 0 || !this.#values.takes(piece)) this.#values.piece(piece, false)
    return true
  }

  /** Whether only closing tags of calls are missing. */
  get isAtEnd(): boolean {
    if (this.#state !== 'after') return false
    return this.#inCdata ? this.#closer !== cdataClose : this.#depth === 0 || this.#endsCall
  }

  /**
   * Reads from index `at`. Returns the next index to read, or `-1 - index` to hold the text from `index` on.
   */
  step(text: string, at: number): number {
    switch (this.#state) {
      case 'head':
        return this.#atHead(text, at)
      case 'value':
        return this.#inValue(text, at)
      case 'cdata':
        return this.#inCdataText(text, at)
      case 'after':
        return this.#afterValue(text, at)
    }
    return this.#state satisfies never
  }

  /** White space, then perhaps a CDATA section, which must then be the whole value. */
  #atHead(text: string, at: number): number {
    const from = this.#skipSpace(text, at)
    if (from === text.length) return from
    if (text.startsWith(cdataOpen, from)) {
      this.#space = ''
      this.#inCdata = true
      this.#state = 'cdata'
      return from + cdataOpen.length
    }
    if (cdataOpen.startsWith(text.slice(from))) return -1 - from
    this.#values.piece(this.#space.replace(/^\r?\n/, ''), false)
    this.#space = ''
    this.#state = 'value'
    return from
  }

  /**
   * Passes on the text up to the next tag of the value as one piece, including any `<`
   * that does not start a tag.
   */
  #inValue(text: string, at: number): number {
    const elements = this.#element === undefined ? undefined : this.#elements
    let found = text.indexOf('<', at)
    for (; found >= 0; found = text.indexOf('<', found + 1)) {
      const tag = tagAt(text, found, elements)
      if (tag === undefined) continue
      if (tag === 'more') {
        this.#values.piece(text.slice(at, found), false)
        return -1 - found
      }
      if (tag.kind === 'invoke') this.#innerCalls = Math.max(0, this.#innerCalls + (tag.isEnd ? -1 : 1))
      if (this.#isOfValue(tag)) return this.#atTag(tag, text.slice(at, found), text.slice(found, tag.end))
    }
    this.#values.piece(at === 0 ? text : text.slice(at), false)
    return text.length
  }

  /** The tag appears to end the value, or it is part of the value. */
  #atTag(tag: Tag, before: string, written: string): number {
    if (tag.isEnd && (this.#depth === 0 || this.#innerCalls === 0)) {
      this.#values.piece(before, false)
      this.#closer = written
      this.#state = 'after'
      return tag.end
    }
    if (!tag.isEmpty) this.#depth += tag.isEnd ? -1 : 1
    this.#values.piece(before + written, false)
    return tag.end
  }

  /** Whether the tag opens or closes the kind of element that the value is written in. */
  #isOfValue(tag: Tag): boolean {
    if (this.#element !== undefined) return tag.kind === 'element' && tag.element === this.#element
    return tag.kind === 'parameter' && (tag.isEnd || tag.attributes.has('name'))
  }

  #inCdataText(text: string, at: number): number {
    const found = text.indexOf(cdataClose, at)
    if (found >= 0) {
      this.#values.piece(text.slice(at, found), true)
      this.#closer = cdataClose
      this.#state = 'after'
      return found + cdataClose.length
    }
    const kept = text.endsWith(']]') ? 2 : text.endsWith(']') ? 1 : 0
    const end = Math.max(at, text.length - kept)
    this.#values.piece(text.slice(at, end), true)
    return end === text.length ? end : -1 - end
  }

  /**
   * A possible end counts only if it is followed by something that may follow a value; otherwise
   * it is part of the value.
   */
  #afterValue(text: string, at: number): number {
    const isBare = this.#inCdata && this.#closer === cdataClose
    if (isBare && this.#space === '') {
      if (text.startsWith(cdataOpen, at)) {
        this.#state = 'cdata'
        return at + cdataOpen.length
      }
      if (cdataOpen.startsWith(text.slice(at))) return -1 - at
    }
    const from = this.#skipSpace(text, at)
    if (from === text.length) return from
    const tag = text[from] === '<' ? tagAt(text, from, this.#elements) : undefined
    if (tag === 'more') return -1 - from
    if (isBare && tag?.isEnd === true && this.#isOfValue(tag)) {
      this.#closer += this.#space + text.slice(from, tag.end)
      this.#space = ''
      return tag.end
    }
    const isOpenWithin = !this.#inCdata && this.#depth > 0
    if (isOpenWithin && !this.#endsCall && tag?.kind === 'invoke' && tag.isEnd) {
      this.#endsCall = true
      this.#closer += this.#space + text.slice(from, tag.end)
      this.#space = ''
      return tag.end
    }
    if (isOpenWithin && this.#endsCall && tag !== undefined && endsCall(tag)) {
      return this.#end('call', from)
    }
    if (!isBare && !isOpenWithin && tag !== undefined && mayFollow(tag)) {
      return this.#end('value', from)
    }
    this.#values.piece(this.#closer + this.#space, this.#inCdata)
    this.#space = ''
    this.#endsCall = false
    if (isOpenWithin) this.#depth -= 1
    this.#state = this.#inCdata ? 'cdata' : 'value'
    return from
  }

  #end(ended: 'value' | 'call', at: number): number {
    this.#values.end()
    this.ended = ended
    return at
  }

  #skipSpace(text: string, at: number): number {
    let from = at
    while (from < text.length && isSpace(text.charCodeAt(from))) from++
    if (from > at) this.#space += text.slice(at, from)
    return from
  }
}

function mayFollow({ kind, isEnd }: Tag): boolean {
  return isEnd ? kind === 'invoke' || kind === 'block' : kind === 'parameter' || kind === 'element'
}

/** Tags that follow the end of a call, and that hardly ever appear in this place inside a value. */
function endsCall({ kind, isEnd }: Tag): boolean {
  return isEnd ? kind === 'block' : kind === 'invoke'
}
