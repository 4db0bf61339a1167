/**
 * Reads the reasoning of a Chat Completions answer: from whichever field it is in, with the
 * data that must be sent back.
 */
import { isObject, type JsonObject, type JsonValue } from '#lib/spec/json'
import type { ChunkBuffer } from '../wire/chunk-buffer'
import { listIn, textIn } from '../wire/json'

/** Some services send both fields at once; then the first one is used. */
const fields = ['reasoning_content', 'reasoning'] as const

export class Reasoning {
  readonly #out: ChunkBuffer
  readonly #details: JsonObject[] = []
  #field: (typeof fields)[number] | undefined

  constructor(out: ChunkBuffer) {
    this.#out = out
  }

  take(delta: JsonObject): void {
    const field = fields.find((each) => typeof delta[each] === 'string')
    if (field !== undefined) {
      this.#field ??= field
      this.#out.reasoning(textIn(delta, field))
    }
    for (const detail of listIn(delta, 'reasoning_details')) if (isObject(detail)) this.#detail(detail)
  }

  /**
   * The data that a later request needs to send the reasoning back; its text is in the answer's own parts.
   */
  mark(): JsonObject {
    if (this.#details.length > 0) return { details: this.#details }
    return this.#field === undefined ? {} : { field: this.#field }
  }

  /** Details arrive in pieces under one index, as calls do. */
  #detail(piece: JsonObject): void {
    const last = this.#details.at(-1)
    if (last === undefined || !isSame(last, piece)) {
      // Copied, because the parsed value is valid only until the next event.
      this.#details.push(structuredClone(piece))
      return
    }
    for (const [key, value] of Object.entries(piece)) last[key] = joinReasoning(key, last[key], value)
  }
}

const growing = new Set(['text', 'summary', 'data'])

function isSame(last: JsonObject, piece: JsonObject): boolean {
  return piece.index !== undefined && last.index === piece.index && last.type === piece.type
}

function joinReasoning(key: string, before: JsonValue | undefined, value: JsonValue): JsonValue {
  if (growing.has(key) && typeof before === 'string' && typeof value === 'string') return before + value
  return value ?? before ?? null
}
