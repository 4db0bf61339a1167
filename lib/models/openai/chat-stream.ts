/**
 * Reads a Chat Completions answer, as OpenAI documents it and in the variants that compatible services send.
 */
import { isObject, type JsonObject, type JsonValue } from '#lib/spec/json'
import type { FinishReason, Usage } from '#lib/spec/model'
import type { SseEvent } from '#lib/spec/sse'
import type { ChunkBuffer } from '../wire/chunk-buffer'
import { DeltaCache } from '../wire/delta-cache'
import { snippet, wordsOf } from '../wire/fault-words'
import { cutFault, faultOfRefusal, protocolFault } from '../wire/faults'
import { listIn, objectIn, textIn } from '../wire/json'
import type { AnswerReader, Heard } from '../wire/reader'
import { openaiUsage } from '../wire/usage'
import { CallSlots } from './call-slots'
import { Reasoning } from './reasoning'

interface OpenaiHeard extends Heard {
  /** The endpoint to which its own reasoning is sent back; absent if it is not. */
  readonly replaysTo?: string | undefined
}

/** Finish reasons that services send after a failure. */
const failures: Readonly<Record<string, string>> = {
  error: 'server_error',
  insufficient_system_resource: 'overloaded_error',
}

const reasons: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  max_tokens: 'length',
  tool_calls: 'calls',
  function_call: 'calls',
  tool_use: 'calls',
  content_filter: 'filter',
  refusal: 'filter',
  abort: 'cut',
}

export class OpenaiHearing implements AnswerReader {
  readonly #heard: OpenaiHeard
  readonly #calls: CallSlots
  readonly #reasoning: Reasoning
  readonly #events = new DeltaCache()
  #reason: string | undefined
  #isRefused = false
  #usage: Usage | undefined

  constructor(heard: OpenaiHeard) {
    this.#heard = heard
    this.#calls = new CallSlots(heard.out)
    this.#reasoning = new Reasoning(heard.out)
  }

  get out(): ChunkBuffer {
    return this.#heard.out
  }

  get isTold(): boolean {
    return this.#reason !== undefined
  }

  event({ event: name = '', data }: SseEvent): void {
    if (data === '[DONE]' || data.trim() === '[DONE]') this.end()
    else this.#read(name, this.#events.read(data), data)
  }

  #read(name: string, value: JsonValue | undefined, data: string): void {
    if (value === undefined)
      this.out.fault(protocolFault(this.#heard.site, 'sent an event that is not valid JSON.', snippet(data)))
    if (!isObject(value)) return
    if (name === 'error' || isError(value)) this.#fail(value)
    else this.#chunk(value, 'delta')
  }

  whole(value: unknown): boolean {
    if (!isObject(value)) return false
    if (!Array.isArray(value.choices)) {
      if (isError(value)) this.#fail(value)
      return this.out.isOver
    }
    this.#chunk(value, 'message')
    // The answer is complete, even without a finish reason.
    this.#reason ??= 'stop'
    this.end()
    return true
  }

  end(): void {
    const { out, site, asked, replaysTo } = this.#heard
    if (out.isOver) return
    const reason = this.#reason === undefined ? 'cut' : this.#finishReason(this.#reason)
    const failure = failures[this.#reason ?? '']
    if (failure !== undefined) {
      const words = { type: failure, code: '', message: `It ended with ${this.#reason}.` }
      out.fault(faultOfRefusal(site, { words }))
    } else if (reason === 'cut') out.fault(cutFault(site))
    else {
      this.#calls.close()
      if (replaysTo !== undefined) this.#replay(replaysTo)
      out.finish(reason, { usage: this.#usage, asked })
    }
  }

  #finishReason(said: string): FinishReason {
    const known = reasons[said.toLowerCase()] ?? 'stop'
    if (known !== 'stop' && known !== 'calls') return known
    if (this.#isRefused) return 'filter'
    const { maxOutputTokens } = this.#heard
    // Some services report a normal end although the answer ran out of tokens.
    if (maxOutputTokens !== undefined && (this.#usage?.output ?? 0) >= maxOutputTokens) return 'length'
    return this.#calls.count > 0 ? 'calls' : 'stop'
  }

  #fail(value: JsonObject): void {
    this.out.fault(faultOfRefusal(this.#heard.site, { words: wordsOf(value) }))
  }

  #chunk(value: JsonObject, key: 'delta' | 'message'): void {
    const choice = choiceOf(listIn(value, 'choices'))
    this.#usage = openaiUsage(value.usage) ?? openaiUsage(choice?.usage) ?? this.#usage
    if (choice === undefined) return
    if (isObject(choice.error)) this.#fail(choice)
    if (isObject(choice[key])) this.#said(objectIn(choice, key))
    const reason = textIn(choice, 'finish_reason')
    if (reason !== '') this.#reason ??= reason
  }

  #said(delta: JsonObject): void {
    const { out } = this.#heard
    this.#reasoning.take(delta)
    const { content } = delta
    if (typeof content === 'string') out.text(content)
    else if (Array.isArray(content)) this.#parts(content)
    const refusal = textIn(delta, 'refusal')
    if (refusal !== '') {
      this.#isRefused = true
      out.text(refusal)
    }
    const calls = listIn(delta, 'tool_calls')
    if (calls.length > 0) this.#calls.take(calls)
    else if (isObject(delta.function_call)) this.#calls.takeLegacy(delta.function_call)
  }

  /** Content as a list, as Mistral sends it when a model thinks. */
  #parts(content: readonly JsonValue[]): void {
    for (const part of content) {
      if (!isObject(part)) continue
      if (part.type === 'thinking')
        for (const each of listIn(part, 'thinking'))
          if (isObject(each)) this.out.reasoning(textIn(each, 'text'))
      if (part.type === 'text') this.out.text(textIn(part, 'text'))
    }
  }

  #replay(endpoint: string): void {
    const marks: JsonObject = { ...this.#reasoning.mark() }
    const extras = this.#calls.extras()
    if (extras.length > 0) marks.extras = extras
    if (Object.keys(marks).length > 0) this.out.opaque('openai-compatible', { endpoint, ...marks })
  }
}

function isError(value: JsonObject): boolean {
  const { error } = value
  return isObject(error) || (typeof error === 'string' && error !== '') || value.object === 'error'
}

/** A request never asks for more than one answer. */
function choiceOf(choices: readonly JsonValue[]): JsonObject | undefined {
  return choices
    .filter(isObject)
    .find((each) => each.index === undefined || each.index === 0 || each.index === null)
}
