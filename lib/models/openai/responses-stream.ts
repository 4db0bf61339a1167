/** Reads a Responses answer: events around output items, or one response with all of them. */
import type { JsonObject, JsonValue } from '#lib/spec/json'
import type { FinishReason } from '#lib/spec/model'
import type { Outlet } from '../wire/chunk-buffer'
import { snippet, wordsOf } from '../wire/fault-words'
import { cutFault, faultOfRefusal, protocolFault } from '../wire/faults'
import { isObject, listIn, objectIn, parseJson, textIn } from '../wire/json'
import type { Heard, Hearing } from '../wire/reader'
import type { SseEvent } from '../wire/sse'
import { responsesUsage } from '../wire/usage'
import { type Item, openItem } from './responses-items'

type Key = number | string

export class ResponsesHearing implements Hearing {
  readonly #heard: Heard
  readonly #open = new Map<Key, Item>()
  /** What was spoken of last, for what says neither place nor id. */
  #last: Key = -1
  #items = 0
  #calls = 0
  #isRefused = false

  constructor(heard: Heard) {
    this.#heard = heard
  }

  get out(): Outlet {
    return this.#heard.out
  }

  /** Only its last event says that an answer is whole. */
  get isTold(): boolean {
    return false
  }

  event({ name, data }: SseEvent): void {
    // Not of this API, but said by some that speak it beside Chat Completions.
    if (data.trim() === '[DONE]') return
    const value = parseJson(data)
    if (value === undefined)
      this.out.fault(protocolFault(this.#heard.site, 'sent an event that is no JSON.', snippet(data)))
    if (isObject(value)) this.#take(textIn(value, 'type') || name, value)
  }

  whole(value: unknown): boolean {
    if (!isObject(value)) return false
    if (!Array.isArray(value.output)) {
      if (isObject(value.error) || value.type === 'error') this.#fail(value)
      return this.out.isOver
    }
    this.#end(value)
    return true
  }

  end(): void {
    if (!this.out.isOver) this.out.fault(cutFault(this.#heard.site))
  }

  #take(type: string, value: JsonObject): void {
    switch (type) {
      case 'response.output_item.added':
        this.#start(value)
        break
      case 'response.output_item.done':
        this.#done(value)
        break
      case 'response.output_text.delta':
        this.#item(value, 'message').words(textIn(value, 'delta'))
        break
      case 'response.refusal.delta':
        this.#isRefused = true
        this.#item(value, 'message').words(textIn(value, 'delta'))
        break
      case 'response.reasoning_summary_part.added':
        this.#item(value, 'reasoning').paragraph()
        break
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        this.#item(value, 'reasoning').thought(textIn(value, 'delta'))
        break
      case 'response.function_call_arguments.delta':
        this.#item(value, 'function_call').args(textIn(value, 'delta'))
        break
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        this.#end({ status: type.slice('response.'.length), ...objectIn(value, 'response') })
        break
      case 'error':
        this.#fail(value)
        break
      default:
        // Whatever else there will be says nothing of the answer, unless it tells of a failure under no name.
        if (isObject(value.error) && !type.startsWith('response.')) this.#fail(value)
    }
  }

  #start(value: JsonObject): void {
    const item = objectIn(value, 'item')
    const key = keyOf(value) ?? `new ${this.#items}`
    // One that is there already was begun by its pieces.
    if (!this.#open.has(key)) this.#begin(key, item)
  }

  #begin(key: Key, item: JsonObject): Item {
    const open = openItem(item, { out: this.out, call: this.#calls })
    this.#items += 1
    this.#last = key
    this.#open.set(key, open)
    if (item.type === 'function_call') this.#calls += 1
    return open
  }

  /** Pieces of an item nobody announced begin it, as far as they tell what it is. */
  #item(value: JsonObject, type: string): Item {
    const key = keyOf(value) ?? this.#last
    const open = this.#open.get(key)
    if (open !== undefined) return open
    // A call begins with its name, which comes with the whole of it at its end.
    return type === 'function_call' ? openItem({}, { out: this.out, call: 0 }) : this.#begin(key, { type })
  }

  #done(value: JsonObject): void {
    const item = objectIn(value, 'item')
    const key = keyOf(value) ?? this.#last
    const open = this.#open.get(key) ?? this.#begin(key, item)
    this.#open.delete(key)
    if (isRefusal(item)) this.#isRefused = true
    open.done(item)
  }

  /** @param response as it stands at its end */
  #end(response: JsonObject): void {
    const { status = 'completed' } = response
    if (status === 'failed' || isObject(response.error)) this.#fail(response)
    else if (status === 'completed' || status === 'incomplete') this.#finish(response)
    else this.end()
  }

  #finish(response: JsonObject): void {
    // All at once, without a stream or without the events of its items.
    if (this.#items === 0)
      listIn(response, 'output').forEach((item, index) => {
        this.#done({ output_index: index, item })
      })
    for (const open of this.#open.values()) open.done()
    const usage = responsesUsage(response.usage)
    const reason = this.#reasonOf(response, usage?.output)
    this.out.finish(reason, { usage, asked: this.#heard.asked })
  }

  #reasonOf(response: JsonObject, output = 0): FinishReason {
    if (response.status === 'incomplete')
      return textIn(objectIn(response, 'incomplete_details'), 'reason') === 'content_filter'
        ? 'filter'
        : 'length'
    if (this.#isRefused) return 'filter'
    const { maxOutputTokens } = this.#heard
    // Some say that they are done when they have only run out of tokens.
    if (maxOutputTokens !== undefined && output >= maxOutputTokens) return 'length'
    return this.#calls > 0 ? 'calls' : 'stop'
  }

  #fail(value: JsonValue): void {
    this.out.fault(faultOfRefusal(this.#heard.site, { words: wordsOf(value) }))
  }
}

function isRefusal(item: JsonObject): boolean {
  return listIn(item, 'content').some((part) => isObject(part) && part.type === 'refusal')
}

/** By its place in the answer, else by its id. */
function keyOf({ output_index: index, item_id: id, item }: JsonObject): Key | undefined {
  if (typeof index === 'number') return index
  const named = isObject(item) ? item.id : id
  return typeof named === 'string' && named !== '' ? named : undefined
}
