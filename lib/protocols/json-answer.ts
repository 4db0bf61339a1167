/**
 * Reads one answer object of the JSON format; reasoning and text are sent on at once, calls as they arrive.
 */
import { JsonCall } from './json-call'
import { type Inside, JsonInner } from './json-inner'
import type { JsonListener } from './json-sax'
import { JsonWriter } from './json-writer'
import { cutOff, malformedCall, type Out } from './out'

type Field = 'reasoning' | 'content' | 'sql' | 'action' | 'calls' | 'other'

const fields: Record<string, Field> = {
  reasoning: 'reasoning',
  thought: 'reasoning',
  action: 'action',
  tool_calls: 'calls',
  tool_call: 'calls',
  calls: 'calls',
  content: 'content',
  answer: 'content',
  final_answer: 'content',
  result: 'content',
  response: 'content',
  text: 'content',
  sql: 'sql',
}

/** Keys that may hold the whole answer again as a string, if they are the first key of the object. */
const wrappingKeys = new Set(['response', 'result', 'text', 'content'])

export class JsonAnswer implements JsonListener {
  readonly #out: Out
  #field: Field = 'other'
  #key = ''
  #action = ''
  #reasoning = ''
  /** The key whose text is the answer: the first one that has text. */
  #said: string | undefined
  /** The text of `sql`, which is the answer only if no other key has text. */
  #sql = ''
  #calls = 0
  #call: JsonCall | undefined
  /**
   * The number of open objects and lists: inside the call, or in the answer, whose own
   * object counts as the first.
   */
  #callDepth = 0
  #depth = 0
  /** Writes a content value that is itself JSON. */
  #writer: JsonWriter | undefined
  #writerDepth = 0
  readonly #inside: Inside | undefined
  #inner: JsonInner | undefined
  #keys = 0

  /**
   * @param isCall the object is one call and nothing else
   * @param inside reads an answer that is nested as a string; absent when nested answers are not looked for
   */
  constructor(out: Out, isCall: boolean, inside?: Inside) {
    this.#out = out
    this.#inside = inside
    if (isCall) this.#field = 'calls'
  }

  get isFinal(): boolean {
    return this.#calls === 0 && (this.#inner?.isFinal ?? true)
  }

  open(kind: '{' | '['): void {
    if (this.#writer !== undefined) {
      this.#writerDepth += 1
      this.#writer.open(kind)
      return
    }
    if (this.#call !== undefined) {
      this.#callDepth += 1
      this.#call.open(kind)
      return
    }
    if (this.#field === 'calls' && kind === '{') {
      this.#calls += 1
      this.#callDepth = 1
      this.#call = new JsonCall(this.#out)
      return
    }
    if (this.#depth === 1 && (this.#field === 'sql' || (this.#field === 'content' && this.#maySay()))) {
      const isSql = this.#field === 'sql'
      this.#writerDepth = 1
      this.#writer = new JsonWriter({ put: (text) => (isSql ? this.#hold(text) : this.#out.text(text)) })
      this.#writer.open(kind)
      return
    }
    this.#depth += 1
  }

  close(): void {
    if (this.#writer !== undefined) {
      this.#writerDepth -= 1
      this.#writer.close()
      if (this.#writerDepth === 0) this.#writer = undefined
      return
    }
    if (this.#call === undefined) {
      this.#depth -= 1
      return
    }
    this.#callDepth -= 1
    if (this.#callDepth > 0) {
      this.#call.close()
      return
    }
    this.#call.end()
    this.#call = undefined
  }

  key(text: string): void {
    const inner = this.#writer ?? this.#call
    if (inner !== undefined) {
      inner.key(text)
      return
    }
    if (this.#depth !== 1) return
    this.#keys += 1
    this.#key = text.toLowerCase()
    this.#field = fields[this.#key] ?? 'other'
  }

  piece(text: string): void {
    const inner = this.#writer ?? this.#call
    if (inner !== undefined) {
      inner.piece(text)
      return
    }
    if (this.#depth !== 1) return
    if (this.#field === 'action') this.#action += text
    else if (this.#field === 'reasoning') {
      this.#reasoning += text
      this.#out.reasoning(text)
    } else if (this.#field === 'sql') this.#hold(text)
    else if (this.#field === 'content' && this.#maySay()) this.#say(text)
  }

  #hold(text: string): void {
    this.#sql += text
  }

  #say(text: string): void {
    if (this.#inside !== undefined && this.#keys === 1 && wrappingKeys.has(this.#key))
      this.#inner ??= new JsonInner(this.#out, this.#inside)
    if (this.#inner !== undefined) this.#inner.text(text)
    else this.#out.text(text)
  }

  endString(): void {
    const inner = this.#writer ?? this.#call
    if (inner !== undefined) inner.endString()
    else if (this.#depth === 1 && this.#keys === 1) this.#inner?.end()
  }

  scalar(text: string): void {
    if (this.#writer !== undefined) this.#writer.raw(text)
    else if (this.#call !== undefined) this.#call.scalar(text)
    else if (this.#depth !== 1 || text === 'null') return
    else if (this.#field === 'sql') this.#hold(text)
    else if (this.#field === 'content' && this.#maySay()) this.#out.text(text)
  }

  /** Called when no more text can come. */
  #saySql(): void {
    if (this.#sql === '') return
    if (this.#said !== undefined) {
      this.#out.warn(`An answer had both ${this.#said} and sql; only ${this.#said} is used.`)
      return
    }
    this.#said = 'sql'
    this.#out.text(this.#sql)
  }

  /** Called when the object has ended; reports what is missing. */
  end(): void {
    this.#saySql()
    const wantsCall = /call/i.test(this.#action)
    if (this.#calls > 0) {
      if (!wantsCall && this.#action !== '')
        this.#out.warn('An answer both finished and called tools; only its calls are used.')
    } else if (wantsCall) this.#out.broken(malformedCall('action asks for a call, but tool_calls is empty.'))
    else if (this.#said === undefined && this.#reasoning !== '') {
      this.#out.warn('An answer had no content, so its reasoning is used instead.')
      this.#out.text(this.#reasoning)
    }
  }

  /** Called when the rest of the object cannot be read. */
  giveUp(): void {
    this.#call?.giveUp()
  }

  /**
   * Called when the stream ends inside the object: a call that is incomplete or
   * missing is reported as broken.
   */
  cut(): void {
    this.#inner?.end()
    this.#saySql()
    if (this.#inner?.isAnswer === true) return
    if (
      this.#call === undefined &&
      (this.#calls > 0 || (this.#said !== undefined && !/call/i.test(this.#action)))
    ) {
      this.#out.warn('The answer ended before its JSON was complete.')
      return
    }
    this.giveUp()
    this.#out.broken(cutOff())
  }

  /** Whether the current field is the one whose text is the answer. */
  #maySay(): boolean {
    this.#said ??= this.#key
    return this.#said === this.#key
  }
}
