/**
 * The interface of the readers of the APIs, what they know about the request, and what the readers of named
 * events have in common.
 */
import { isObject, type JsonObject, type JsonValue, tryParseJson } from '#lib/spec/json'
import type { FinishReason } from '#lib/spec/model'
import type { SseEvent } from '#lib/spec/sse'
import type { ChunkBuffer } from './chunk-buffer'
import { snippet, wordsOf } from './fault-words'
import { cutFault, faultOfRefusal, protocolFault, type Site } from './faults'
import { textIn } from './json'

/** Turns one answer of an API into chunks, which go to its outlet. */
export interface AnswerReader {
  readonly out: ChunkBuffer
  /** Whether the answer has given its finish reason, so that it is complete even if nothing follows. */
  readonly isTold: boolean
  event(event: SseEvent): void
  /** Reads an answer that came as one JSON value; returns false if it does not belong to this API. */
  whole(value: unknown): boolean
  /** Call this when the bytes have ended without an error. */
  end(): void
}

export interface Heard {
  readonly out: ChunkBuffer
  readonly site: Site
  /** The body of the request, for an estimate of its tokens. */
  readonly asked: string
  readonly maxOutputTokens: number | undefined
}

/** Reads an answer whose events are JSON objects that name their type. */
export abstract class NamedEventReader implements AnswerReader {
  protected readonly heard: Heard

  constructor(heard: Heard) {
    this.heard = heard
  }

  abstract whole(value: unknown): boolean
  protected abstract take(type: string, value: JsonObject): void

  get out(): ChunkBuffer {
    return this.heard.out
  }

  /** Only the last event shows that the answer is complete. */
  get isTold(): boolean {
    return false
  }

  event({ event: name = '', data }: SseEvent): void {
    const value = tryParseJson(data)
    if (value === undefined)
      this.out.fault(protocolFault(this.heard.site, 'sent an event that is not valid JSON.', snippet(data)))
    if (isObject(value)) this.take(textIn(value, 'type') || name, value)
  }

  end(): void {
    if (!this.out.isOver) this.out.fault(cutFault(this.heard.site))
  }

  protected fail(value: JsonValue): void {
    this.out.fault(faultOfRefusal(this.heard.site, { words: wordsOf(value) }))
  }

  /** Of an answer that ended normally; some services report that although it ran out of tokens. */
  protected reasonOf(calls: number, output = 0): FinishReason {
    const { maxOutputTokens } = this.heard
    if (maxOutputTokens !== undefined && output >= maxOutputTokens) return 'length'
    return calls > 0 ? 'calls' : 'stop'
  }
}
