/** Computes what an answer of the model cost. */
import type { Price, Usage } from '#lib/spec/model'

const million = 1_000_000

/** In US dollars; null when no price is known. Input tokens include cached ones, output tokens reasoning. */
export function costOf(usage: Usage, price: Price | undefined): number | null {
  if (price === undefined) return null
  const cached = Math.min(usage.cached ?? 0, usage.input)
  const input = (usage.input - cached) * price.input + cached * (price.cached ?? price.input)
  return (input + usage.output * price.output) / million
}
