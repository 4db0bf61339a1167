/** Computes what an answer of the model cost. */
import type { Price, Usage } from '#lib/spec/model'

const million = 1_000_000

/** In US dollars; null when no price is known. Input tokens include cached ones, output tokens reasoning. */
export function costOf(usage: Usage, price: Price | undefined): number | null {
  if (price === undefined) return null
  const { cached, written } = cacheIn(usage)
  const input =
    (usage.input - cached - written) * price.input +
    cached * (price.cached ?? price.input) +
    written * (price.cacheWrite ?? price.input)
  return (input + usage.output * price.output) / million
}

/**
 * How much less the answer cost than without the provider's cache, in US dollars; below 0 where writing cost more
 * than reading saved. Undefined when the cache made no difference or no price is known.
 */
export function savedOf(usage: Usage, price: Price | undefined): number | undefined {
  const { cached, written } = cacheIn(usage)
  if (price === undefined) return undefined
  const read = cached * (price.input - (price.cached ?? price.input))
  const saved = read + written * (price.input - (price.cacheWrite ?? price.input))
  return saved === 0 ? undefined : saved / million
}

/** Both are part of the input, whatever a provider counts. */
function cacheIn({ input, cached = 0, cacheWritten = 0 }: Usage): { cached: number; written: number } {
  const read = Math.min(cached, input)
  return { cached: read, written: Math.min(cacheWritten, input - read) }
}
