/** What the process that evaluates JMESPath says, and the limits on it. Its input is the expression, a line of JSON, then the text. */
import type { JsonValue } from '#lib/spec/json'
import type { LeftOut } from '#lib/spec/json-query'

export const jsonQueryLimits = {
  /** Of the JSON that is asked. */
  bytes: 20 * 1024 * 1024,
  /** Of the result: about 5,000 tokens. */
  shownChars: 20_000,
  milliseconds: 10_000,
  heapMiB: 384,
} as const

export type JsonQuerySaid =
  | { readonly ok: true; readonly value: JsonValue; readonly left?: LeftOut | undefined }
  | { readonly ok: false; readonly code: 'data' | 'expression'; readonly message: string }
