/** A small part of JSONPath: it picks values out of a JSON value, in time linear in its size. */
import type { JsonValue } from './json'

/** One step of a path: into a key, to an item (from the end when negative), or to every value. */
type Step = { readonly key: string } | { readonly index: number } | 'every'

export type JsonPath = readonly Step[]

export const pathForm =
  'a path such as "$.items[0].name" or "$.items[*].name": keys, indexes and [*], without filters'

/** The longest path, in characters. */
export const maxPathChars = 256

/** A key after a dot, a quoted key in brackets, an index, or a star. */
const step =
  /\.(?:([\p{L}_$][\p{L}\p{N}_$-]*)|(\*))|\[\s*(?:(-?\d{1,9})|(\*)|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\s*\]/uy

/** Undefined if the text is not such a path. */
export function readPath(text: string): JsonPath | undefined {
  const whole = text.trim()
  if (!whole.startsWith('$') || whole.length > maxPathChars) return undefined
  const steps: Step[] = []
  for (let at = 1; at < whole.length; at = step.lastIndex) {
    step.lastIndex = at
    const found = step.exec(whole)
    if (found === null) return undefined
    const [, key, everyKey, index, everyItem, single, double] = found
    if (everyKey !== undefined || everyItem !== undefined) steps.push('every')
    else if (index !== undefined) steps.push({ index: Number(index) })
    else steps.push({ key: key ?? (single ?? double ?? '').replace(/\\(.)/gsu, '$1') })
  }
  return steps
}

/**
 * What the path finds: the one value, or with a star a list of all values. Undefined if a path without a star
 * finds nothing.
 */
export function pickPath(value: JsonValue, path: JsonPath): JsonValue | undefined {
  let found: JsonValue[] = [value]
  for (const each of path) found = found.flatMap((inner) => follow(inner, each))
  return path.includes('every') ? found : found[0]
}

function follow(value: JsonValue, step: Step): JsonValue[] {
  if (typeof value !== 'object' || value === null) return []
  if (step === 'every') return Object.values(value)
  if ('index' in step) {
    const item = Array.isArray(value) ? value.at(step.index) : undefined
    return item === undefined ? [] : [item]
  }
  if (Array.isArray(value) || !Object.hasOwn(value, step.key)) return []
  const inner = value[step.key]
  return inner === undefined ? [] : [inner]
}
