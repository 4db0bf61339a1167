/** Answers requests for vectors: texts with words of the same meaning, as listed here, get vectors that are near. */
import type { JsonObject } from '#lib/spec/json'

/** Each line is one meaning. */
const meanings = [
  ['car', 'automobile', 'vehicle'],
  ['money', 'refund', 'reimbursement', 'cash'],
  ['doctor', 'physician'],
]
const meaningOf = new Map(meanings.flatMap((words, at) => words.map((word) => [word, at] as const)))

/** Undefined for a request that is not one for vectors, or has a text that says it is unreadable. */
export function embeddingsOf(body: JsonObject | undefined): JsonObject | undefined {
  const { input, model } = body ?? {}
  const texts = typeof input === 'string' ? [input] : input
  if (!Array.isArray(texts) || typeof model !== 'string') return undefined
  if (texts.some((text) => String(text).includes('unreadable'))) return undefined
  // Another model has other vectors, of another length.
  const length = model.includes('large') ? 96 : 64
  const data = texts.map((text, index) => {
    return { object: 'embedding', index, embedding: vectorOf(String(text), length) }
  })
  return { object: 'list', model, data, usage: { prompt_tokens: 1, total_tokens: 1 } }
}

function vectorOf(text: string, length: number): number[] {
  const vector = Array.from({ length }, () => 0)
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const at =
      meaningOf.get(word.replace(/s$/, '')) ?? meanings.length + (hashOf(word) % (length - meanings.length))
    vector[at] = (vector[at] ?? 0) + 1
  }
  return vector
}

function hashOf(word: string): number {
  let hash = 7
  for (const letter of word) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003
  return hash
}
