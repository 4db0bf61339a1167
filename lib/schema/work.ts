/** Limits the work of one check, so that neither a schema nor a value can block the server. */
import type { JsonValue } from '#lib/spec/json'

/** Thrown inside this room when a value cannot be checked; callers get its message as a value. */
export class Unchecked extends Error {}

/** The deepest nesting of schemas and values, including followed references. */
export const maxDepth = 600

/** One step takes about ten nanoseconds. */
const fewestSteps = 200_000
const mostSteps = 8_000_000
const stepsPerValue = 1000
const stepsPerCharacter = 50

/** The steps left for one check. */
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

/**
 * The work allowed for a value of this size: little for a small value, so that many small ones do not add up.
 */
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
