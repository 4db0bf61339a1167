/** Bounds the work of one check, so that neither a schema nor a value can hold the server up. */
import type { JsonValue } from '#lib/spec/json'

/** Thrown within this room when a value cannot be checked; whoever asks receives its message as a value. */
export class Unchecked extends Error {}

/** Schemas within schemas and values within values, references followed included. */
export const maxDepth = 600

/** One step takes about ten nanoseconds. */
const fewestSteps = 200_000
const mostSteps = 8_000_000
const stepsPerValue = 1000
const stepsPerCharacter = 50

/** The steps that are left for one check. */
export class Work {
  left: number

  constructor(steps: number) {
    this.left = steps
  }

  spend(steps: number): void {
    this.left -= steps
    if (this.left < 0)
      throw new Unchecked('it takes too much work: the schema has too many ways to read this value')
  }
}

/** As much as a value of this size may take: a small value gets little, so that many small ones cannot add up. */
export function workFor(value: JsonValue): Work {
  let steps = fewestSteps
  const left: JsonValue[] = [value]
  for (let each = left.pop(); each !== undefined; each = left.pop()) {
    steps += stepsPerValue
    if (typeof each === 'string') steps += each.length * stepsPerCharacter
    if (typeof each !== 'object' || each === null) continue
    if (Array.isArray(each)) {
      for (const inner of each) left.push(inner)
    } else {
      for (const [key, inner] of Object.entries(each)) {
        steps += key.length * stepsPerCharacter
        left.push(inner)
      }
    }
    if (steps >= mostSteps) break
  }
  return new Work(Math.min(steps, mostSteps))
}
