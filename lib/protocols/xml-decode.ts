/** Reads calls in the XML format from text that arrives in pieces; each piece is read once. */
import { cutOff, malformedCall, type Out } from './out'
import type { Parameters } from './parameter-kinds'
import { Pieces, type Stepping } from './pieces'
import { Prose } from './prose'
import type { Machine } from './reader'
import type { Tools } from './text-format'
import { isNamed, isSpace, type Tag, tagAt } from './xml-tags'
import { XmlValue } from './xml-value'
import { XmlValues } from './xml-values'

/**
 * The position of the reader: `block` between calls, `invoke` between parameters, `broken` in
 * the rest of a broken call.
 */
type State = 'text' | 'block' | 'invoke' | 'value' | 'broken'

const noElements: ReadonlySet<string> = new Set()

export class XmlMachine implements Machine, Stepping {
  readonly #out: Out
  readonly #tools: Tools
  readonly #prose = new Prose('<')
  /** Holds the start of what may be a tag. */
  readonly #pieces = new Pieces(this)
  #state: State = 'text'
  /** The tag that opened a block, as long as no call has followed in it. */
  #opener: string | undefined
  #openerAtLineStart = false
  #values: XmlValues | undefined
  #elements: ReadonlySet<string> = noElements
  #value: XmlValue | undefined
  /** White space between tags. */
  #space = ''

  constructor(out: Out, tools: Tools) {
    this.#out = out
    this.#tools = tools
  }

  text(piece: string): void {
    if (!this.#pieces.isHolding && this.#value?.takes(piece) === true) return
    this.#pieces.read(piece)
  }

  step(text: string, at: number): number {
    switch (this.#state) {
      case 'text':
        return this.#inText(text, at)
      case 'block':
        return this.#inBlock(text, at)
      case 'invoke':
        return this.#inInvoke(text, at)
      case 'value':
        return this.#inValue(text, at)
      case 'broken':
        return this.#inBroken(text, at)
    }
    return this.#state satisfies never
  }

  #inText(text: string, at: number): number {
    const found = this.#prose.find(text, at)
    if (found < 0) {
      this.#out.text(at === 0 ? text : text.slice(at))
      return text.length
    }
    this.#out.text(text.slice(at, found))
    const tag = tagAt(text, found)
    if (tag === 'more') return -1 - found
    const isAtLineStart = this.#prose.isBlank
    if (tag?.isEnd === false && tag.kind === 'block' && !tag.isEmpty) {
      this.#opener = text.slice(found, tag.end)
      this.#openerAtLineStart = isAtLineStart
      this.#state = 'block'
      return tag.end
    }
    if (tag?.isEnd === false && tag.kind === 'invoke' && (isAtLineStart || this.#isKnown(tag)))
      return this.#begin(tag)
    const end = tag?.end ?? found + 1
    // A closing tag without its opening tag still belongs to the call syntax and is not shown.
    if (tag === undefined || tag.kind !== 'block' || !tag.isEnd) this.#out.text(text.slice(found, end))
    this.#prose.take(text.slice(found, end))
    return end
  }

  #isKnown(tag: Tag): boolean {
    return this.#parametersOf(tag) !== undefined
  }

  #parametersOf({ attributes }: Tag): Parameters | undefined {
    const { parameters, toName } = this.#tools
    return parameters.get(toName(attributes.get('name')?.trim() ?? ''))
  }

  #inBlock(text: string, at: number): number {
    const from = this.#skipSpace(text, at)
    if (from === text.length) return from
    const tag = text[from] === '<' ? tagAt(text, from) : undefined
    if (tag === 'more') return -1 - from
    if (tag?.kind === 'invoke' && !tag.isEnd) return this.#begin(tag)
    if (tag?.kind === 'block' && tag.isEnd) return this.#leave(tag.end)
    if (this.#opener === undefined) return this.#leave(from)
    if (this.#openerAtLineStart)
      return this.#fail(from, 'a block of calls must contain only <invoke name="…">.')
    const opener = this.#opener + this.#space
    this.#out.text(opener)
    this.#prose.take(opener)
    this.#opener = undefined
    this.#space = ''
    this.#state = 'text'
    return from
  }

  #leave(at: number): number {
    this.#opener = undefined
    this.#space = ''
    this.#state = 'text'
    this.#prose.resume(true)
    return at
  }

  #begin(tag: Tag): number {
    this.#opener = undefined
    this.#space = ''
    const parameters = this.#parametersOf(tag)
    this.#elements = parameters?.names ?? noElements
    this.#out.open(tag.attributes.get('name') ?? '')
    const values = new XmlValues(this.#out, parameters)
    this.#values = values
    this.#state = 'invoke'
    for (const [key, value] of tag.attributes) {
      if (key === 'name' || !this.#elements.has(key)) continue
      values.begin(key)
      values.piece(value, true)
      values.end()
    }
    if (tag.isEmpty) this.#seal()
    return tag.end
  }

  #inInvoke(text: string, at: number): number {
    const from = this.#skipSpace(text, at)
    this.#space = ''
    if (from === text.length) return from
    const tag = text[from] === '<' ? tagAt(text, from, this.#elements) : undefined
    if (tag === 'more') return -1 - from
    if (tag === undefined) return this.#fail(from, 'there is other text between its parameters.')
    switch (tag.kind) {
      case 'element':
      case 'parameter': {
        const key = tag.kind === 'element' ? tag.element : tag.attributes.get('name')
        if (tag.isEnd || key === undefined) return this.#fail(from, 'a parameter has no name.')
        this.#values?.begin(key)
        if (tag.isEmpty) this.#values?.end()
        else if (this.#values !== undefined) {
          const element = tag.kind === 'element' ? tag.element : undefined
          this.#value = new XmlValue(this.#values, { elements: this.#elements, element })
          this.#state = 'value'
        }
        return tag.end
      }
      case 'invoke':
        this.#seal()
        return tag.isEnd ? tag.end : from
      case 'block':
        if (!tag.isEnd) return this.#fail(from, 'it is not closed before the next calls begin.')
        this.#seal()
        return from
    }
    return tag.kind satisfies never
  }

  #inValue(text: string, at: number): number {
    const value = this.#value
    if (value === undefined) return at
    const next = value.step(text, at)
    if (value.ended === undefined) return next
    this.#value = undefined
    this.#state = 'invoke'
    if (value.ended === 'call') this.#seal()
    return next
  }

  #seal(): void {
    this.#values?.close()
    this.#out.close()
    this.#state = 'block'
  }

  #fail(at: number, why: string): number {
    this.#out.broken(malformedCall(why, 'xml_syntax'))
    this.#values = undefined
    this.#opener = undefined
    this.#space = ''
    this.#state = 'broken'
    return at
  }

  /** Skips the rest of a broken call, so that none of it is shown to the reader. */
  #inBroken(text: string, at: number): number {
    const found = text.indexOf('<', at)
    if (found < 0) return text.length
    const tag = tagAt(text, found)
    if (tag === 'more') return -1 - found
    if (tag?.isEnd !== true || tag.kind === 'parameter') return found + 1
    if (tag.kind === 'block') return this.#leave(tag.end)
    this.#state = 'block'
    return tag.end
  }

  #skipSpace(text: string, at: number): number {
    let from = at
    while (from < text.length && isSpace(text.charCodeAt(from))) from++
    if (from > at) this.#space += text.slice(at, from)
    return from
  }

  end(isWhole: boolean): void {
    const held = this.#pieces.rest()
    switch (this.#state) {
      case 'text':
        if (isNamed(held)) this.#out.broken(cutOff())
        else this.#out.text(held)
        return
      case 'block':
        if (this.#opener === undefined && !isNamed(held)) return
        if (isWhole && held === '' && !this.#openerAtLineStart) this.#out.text(this.#opener ?? '')
        else this.#out.broken(cutOff())
        return
      case 'invoke':
        if (isWhole && !isNamed(held) && this.#values?.isPlausible === true) this.#seal()
        else this.#out.broken(cutOff())
        return
      case 'value':
        if (isWhole && this.#value?.isAtEnd === true && this.#values?.isPlausible === true) {
          this.#values.end()
          this.#seal()
        } else this.#out.broken(cutOff())
        return
      case 'broken':
        return
    }
    this.#state satisfies never
  }
}
