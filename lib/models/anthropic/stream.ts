/**
 * Reads a Messages answer: named events about content blocks; blocks that must be sent
 * back are kept unchanged.
 */
import { isObject, type JsonObject } from '#lib/spec/json'
import type { FinishReason } from '#lib/spec/model'
import { listIn, objectIn, textIn } from '../wire/json'
import { NamedEventReader } from '../wire/reader'
import { anthropicUsage } from '../wire/usage'
import { type AnswerBlock, openBlock } from './blocks'

const reasons: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  // Only the service's own tools pause a turn, and none are offered.
  pause_turn: 'stop',
  tool_use: 'calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'filter',
}

export class AnthropicHearing extends NamedEventReader {
  readonly #open = new Map<number, AnswerBlock>()
  #last = -1
  #calls = 0
  #reason = ''
  #startUsage: JsonObject = {}
  #endUsage: JsonObject = {}

  whole(value: unknown): boolean {
    if (!isObject(value)) return false
    if (value.type === 'error' || isObject(value.error)) {
      this.fail(value)
      return true
    }
    if (!Array.isArray(value.content)) return false
    this.take('message_start', { message: value })
    listIn(value, 'content').forEach((block, index) => {
      this.take('content_block_start', { index, content_block: block })
      this.take('content_block_stop', { index })
    })
    this.take('message_delta', { delta: value, usage: objectIn(value, 'usage') })
    this.take('message_stop', {})
    return true
  }

  protected take(type: string, value: JsonObject): void {
    switch (type) {
      case 'message_start':
        this.#startUsage = objectIn(objectIn(value, 'message'), 'usage')
        break
      case 'content_block_start':
        this.#start(value)
        break
      case 'content_block_delta':
        this.#open.get(this.#indexOf(value))?.delta(objectIn(value, 'delta'))
        break
      case 'content_block_stop':
        this.#stop(this.#indexOf(value))
        break
      case 'message_delta':
        this.#ending(value)
        break
      case 'message_stop':
        this.#finish()
        break
      case 'error':
        this.fail(value)
        break
      default:
        // Whatever else there will be says nothing of the answer.
        break
    }
  }

  #indexOf({ index }: JsonObject): number {
    return typeof index === 'number' ? index : this.#last
  }

  #start(value: JsonObject): void {
    const block = value.content_block
    if (!isObject(block)) return
    const index = typeof value.index === 'number' ? value.index : this.#last + 1
    this.#stop(index)
    this.#last = index
    this.#open.set(index, openBlock(block, { out: this.out, call: this.#calls }))
    if (block.type === 'tool_use') this.#calls += 1
  }

  #stop(index: number): void {
    this.#open.get(index)?.stop()
    this.#open.delete(index)
  }

  #ending(value: JsonObject): void {
    const delta = objectIn(value, 'delta')
    this.#reason = textIn(delta, 'stop_reason') || this.#reason
    this.#endUsage = { ...this.#endUsage, ...objectIn(value, 'usage') }
    // A refusal before any text has only an explanation, which is then the text.
    const told = textIn(objectIn(delta, 'stop_details'), 'explanation')
    if (this.#reason === 'refusal' && !this.out.hasText) this.out.text(told)
  }

  #finish(): void {
    for (const index of [...this.#open.keys()]) this.#stop(index)
    const usage = anthropicUsage(this.#startUsage, this.#endUsage)
    this.out.finish(this.#finishReason(usage?.output), { usage, asked: this.heard.asked })
  }

  #finishReason(output?: number): FinishReason {
    const known = reasons[this.#reason] ?? 'stop'
    if (known !== 'stop' && known !== 'calls') return known
    return this.reasonOf(this.#calls, output)
  }
}
