/** Reads a Responses answer: events about output items, or one response with all of them. */
import { isObject, type JsonObject } from '#lib/spec/json'
import type { FinishReason } from '#lib/spec/model'
import type { SseEvent } from '#lib/spec/sse'
import { listIn, objectIn, textIn } from '../wire/json'
import { NamedEventReader } from '../wire/reader'
import { responsesUsage } from '../wire/usage'
import { type Item, openItem } from './responses-items'

type Key = number | string

export class ResponsesHearing extends NamedEventReader {
  readonly #open = new Map<Key, Item>()
  /** The last item, for events without an index or id. */
  #last: Key = -1
  #items = 0
  #calls = 0
  #isRefused = false

  override event(event: SseEvent): void {
    // Not part of this API, but some services that also offer Chat Completions send it.
    if (event.data.trim() !== '[DONE]') super.event(event)
  }

  whole(value: unknown): boolean {
    if (!isObject(value)) return false
    if (!Array.isArray(value.output)) {
      if (isObject(value.error) || value.type === 'error') this.fail(value)
      return this.out.isOver
    }
    this.#end(value)
    return true
  }

  protected take(type: string, value: JsonObject): void {
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
        this.fail(value)
        break
      default:
        // Other events carry no part of the answer, unless one reports a failure without a type of its own.
        if (isObject(value.error) && !type.startsWith('response.')) this.fail(value)
    }
  }

  #start(value: JsonObject): void {
    const item = objectIn(value, 'item')
    const key = keyOf(value) ?? `new ${this.#items}`
    // An item that exists already was started by its pieces.
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

  /** Pieces of an item that was not announced start it, if they show what kind of item it is. */
  #item(value: JsonObject, type: string): Item {
    const key = keyOf(value) ?? this.#last
    const open = this.#open.get(key)
    if (open !== undefined) return open
    // A call cannot start without its name, which comes with the complete item at its end.
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

  /** @param response the response in its final state */
  #end(response: JsonObject): void {
    const { status = 'completed' } = response
    if (status === 'failed' || isObject(response.error)) this.fail(response)
    else if (status === 'completed' || status === 'incomplete') this.#finish(response)
    else this.end()
  }

  #finish(response: JsonObject): void {
    // All items at once: there was no stream, or it had no events for items.
    if (this.#items === 0)
      listIn(response, 'output').forEach((item, index) => {
        this.#done({ output_index: index, item })
      })
    for (const open of this.#open.values()) open.done()
    const usage = responsesUsage(response.usage)
    const reason = this.#finishReason(response, usage?.output)
    this.out.finish(reason, { usage, asked: this.heard.asked })
  }

  #finishReason(response: JsonObject, output?: number): FinishReason {
    if (response.status === 'incomplete')
      return textIn(objectIn(response, 'incomplete_details'), 'reason') === 'content_filter'
        ? 'filter'
        : 'length'
    if (this.#isRefused) return 'filter'
    return this.reasonOf(this.#calls, output)
  }
}

function isRefusal(item: JsonObject): boolean {
  return listIn(item, 'content').some((part) => isObject(part) && part.type === 'refusal')
}

/** The index in the answer, or the id if there is none. */
function keyOf({ output_index: index, item_id: id, item }: JsonObject): Key | undefined {
  if (typeof index === 'number') return index
  const named = isObject(item) ? item.id : id
  return typeof named === 'string' && named !== '' ? named : undefined
}
