/** Ranks what was found by words and by meaning as one list. */
import { setImmediate as turn } from 'node:timers/promises'
import type { Fit } from '#lib/spec/recall'
import type { Vector, VectorStore, WordHit } from '#lib/spec/recall-store'

export interface Ranked extends Fit {
  readonly n: number
}

interface MeaningHit {
  readonly n: number
  readonly meaning: number
}

/** Softens the difference between the first ranks, as is usual for reciprocal rank fusion. */
const smoothing = 60
/** Similarities below this are chance. */
const leastMeaning = 0.2
/** Vectors that are read at once, so that the event loop is never held for long. */
const slice = 1_000

/**
 * By words alone, the score is theirs. With meaning, the ranks in both lists are added up: 1 is the first
 * place in both.
 */
export function rank(
  words: readonly WordHit[],
  meanings: readonly MeaningHit[] | undefined,
  limit: number,
): Ranked[] {
  if (meanings === undefined)
    return words.slice(0, limit).map(({ n, words: by }) => ({ n, score: rounded(by), words: rounded(by) }))
  const all = new Map<number, { score: number; words?: number; meaning?: number }>()
  const add = (n: number, at: number, by: Omit<Fit, 'score'>) => {
    const before = all.get(n) ?? { score: 0 }
    all.set(n, { ...before, ...by, score: before.score + (smoothing + 1) / 2 / (smoothing + 1 + at) })
  }
  for (const [at, hit] of words.entries()) add(hit.n, at, { words: rounded(hit.words) })
  for (const [at, hit] of meanings.entries()) add(hit.n, at, { meaning: rounded(hit.meaning) })
  return [...all]
    .map(([n, fit]) => ({ n, ...fit, score: rounded(fit.score) }))
    .sort((a, b) => b.score - a.score || a.n - b.n)
    .slice(0, limit)
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000
}

interface Asked {
  readonly store: Pick<VectorStore, 'numbers' | 'vectors'>
  readonly model: string
  readonly scopes: readonly string[]
  /** Of length 1. */
  readonly vector: Float32Array
  readonly limit: number
}

/** The texts whose meaning is nearest, the best first. */
export async function nearest({ store, model, scopes, vector, limit }: Asked): Promise<MeaningHit[]> {
  const numbers = store.numbers(scopes)
  let best: MeaningHit[] = []
  for (let at = 0; at < numbers.length; at += slice) {
    if (at > 0) await turn()
    // What is not better than the last of a full list need not be sorted.
    const least = best.length < limit ? leastMeaning : (best.at(-1)?.meaning ?? leastMeaning)
    for (const row of store.vectors(model, numbers.slice(at, at + slice))) {
      const meaning = similarity(vector, row)
      if (meaning >= least) best.push({ n: row.n, meaning })
    }
    best = best.sort((a, b) => b.meaning - a.meaning || a.n - b.n).slice(0, limit)
  }
  return best
}

/** 0 for a vector of another length, as it may be while a model is being changed. */
function similarity(a: Float32Array, { vector }: Vector): number {
  if (vector.byteLength !== a.length * 4) return 0
  // The bytes of a row need not begin where numbers may.
  const { buffer, byteOffset, byteLength } = vector.byteOffset % 4 === 0 ? vector : Uint8Array.from(vector)
  const b = new Float32Array(buffer, byteOffset, byteLength / 4)
  let sum = 0
  // cast: both have this length, and a check for each number would take most of the time
  for (let at = 0; at < a.length; at++) sum += (a[at] as number) * (b[at] as number)
  return sum
}

/** A copy of length 1; undefined for a vector without a direction. */
export function unit(values: readonly number[]): Float32Array | undefined {
  const length = Math.hypot(...values)
  if (!Number.isFinite(length) || length === 0) return undefined
  return Float32Array.from(values, (each) => each / length)
}
