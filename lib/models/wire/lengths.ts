/** Whether texts are long enough for a provider to cache them, by the estimate of their tokens. */
import { estimateTokens } from '#lib/spec/tokens'

export function hasTokens(texts: readonly string[], minimum: number): boolean {
  return countUpTo(texts, minimum) >= minimum
}

/** Tokens of the texts; the count ends where it has reached `most`, so long texts cost no time. */
export function countUpTo(texts: readonly string[], most: number): number {
  let tokens = 0
  for (const text of texts) {
    if (tokens >= most) return tokens
    // The estimate is never below a token for four characters.
    tokens += text.length >= most * 4 ? most : estimateTokens(text)
  }
  return tokens
}
