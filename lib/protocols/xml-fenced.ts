/** Unwraps an answer that is one code fence with calls in it; some models put all their code into fences. */
import type { Machine } from './reader'
import { tagAt } from './xml-tags'

const opening = /^\s*(`{3,})[ \t]*\w*[ \t]*\r?\n\s*(?=<[a-z:]*(?:function_calls|invoke|tool_call)\b)/i
const mayOpen = /^\s*(?:`{0,2}|`{3,}[ \t]*\w*[ \t]*\r?(?:\n\s*(?:<[a-z:_]*)?)?)$/i
/** If the start of a fenced answer is not complete after this many characters, it is plain text. */
const longest = 200

/** Only the end of the fence shows whether it holds calls, so the whole answer is held until then. */
export class XmlFenced implements Machine {
  readonly #to: Machine
  readonly #isTool: (name: string) => boolean
  #state: 'head' | 'inside' | 'past' = 'head'
  #held: string[] = []
  #opened = ''
  #fence = ''

  constructor(to: Machine, isTool: (name: string) => boolean) {
    this.#to = to
    this.#isTool = isTool
  }

  text(piece: string): void {
    if (this.#state === 'past') {
      this.#to.text(piece)
      return
    }
    this.#held.push(piece)
    if (this.#state === 'inside') return
    const text = this.#held.join('')
    const opened = opening.exec(text)
    if (opened !== null) {
      this.#opened = opened[0]
      this.#fence = opened[1] ?? ''
      this.#state = 'inside'
      this.#held = [text]
    } else if (text.length > longest || !mayOpen.test(text)) this.#release()
    else this.#held = [text]
  }

  end(isWhole: boolean): void {
    if (this.#state === 'inside') {
      const text = this.#held.join('')
      const inner = this.#innerOf(text)
      this.#held = inner === undefined ? [text] : [inner]
    }
    this.#release()
    this.#to.end(isWhole)
  }

  #release(): void {
    const text = this.#held.join('')
    this.#held = []
    this.#state = 'past'
    if (text !== '') this.#to.text(text)
  }

  /** The content of the fence, if it has a call of a known tool and nothing follows the fence. */
  #innerOf(text: string): string | undefined {
    const from = this.#opened.length
    const closed = text.indexOf(`\n${this.#fence}`, from)
    if (closed >= 0 && /[^`\s]/.test(text.slice(closed))) return undefined
    const inner = text.slice(from, closed < 0 ? text.length : closed)
    const call = inner.search(/<[a-z:]*invoke\s/i)
    const tag = call < 0 ? undefined : tagAt(inner, call)
    if (tag === undefined || tag === 'more') return undefined
    return this.#isTool(tag.attributes.get('name') ?? '') ? inner : undefined
  }
}
