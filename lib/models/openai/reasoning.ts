/** Thoughts in a Chat Completions answer: which of the many fields they come in, and what must go back to where they came from. */
import type { JsonObject, JsonValue } from '#lib/spec/json'
import type { Outlet } from '../wire/chunk-buffer'
import { isObject, listIn, textIn } from '../wire/json'

/** Both are said at once by some; the first is enough then. */
const fields = ['reasoning_content', 'reasoning'] as const

export class Reasoning {
  readonly #out: Outlet
  readonly #details: JsonObject[] = []
  #field: (typeof fields)[number] | undefined

  constructor(out: Outlet) {
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

  /** What a later request needs to send it back; the text itself stands in the answer's own parts. */
  mark(): JsonObject {
    if (this.#details.length > 0) return { details: this.#details }
    return this.#field === undefined ? {} : { field: this.#field }
  }

  /** Details come in pieces under one index, as the calls do. */
  #detail(piece: JsonObject): void {
    const last = this.#details.at(-1)
    if (last === undefined || !isSame(last, piece)) {
      // What is read belongs to its event, and this is kept.
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
