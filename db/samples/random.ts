/** A seeded random generator for sample data, with the same values on every machine. */

export interface Chances {
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number
  /** An integer from `least` to `most`, both inclusive. */
  whole(least: number, most: number): number
  /** One of the items, all equally likely. */
  one<T>(items: readonly T[]): T
  /** One of the items, with a probability in proportion to its weight; weights are positive. */
  weighted<T>(items: readonly (readonly [T, number])[]): T
}

/**
 * Mulberry32: 32 bits of state and integer operations only, so that no platform's
 * rounding can change the data.
 */
export function chances(seed: number): Chances {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    next,
    whole,
    one: (items) => pick(items, whole(0, items.length - 1)),
    weighted: (items) => pickWeighted(items, next()),
  }
}

function pick<T>(items: readonly T[], index: number): T {
  const item = items[index]
  if (item === undefined) throw new Error('nothing to choose from')
  return item
}

function pickWeighted<T>(items: readonly (readonly [T, number])[], chance: number): T {
  const total = items.reduce((sum, [, weight]) => sum + weight, 0)
  let left = chance * total
  for (const [item, weight] of items) {
    left -= weight
    if (left < 0) return item
  }
  return pick(items, items.length - 1)[0]
}
