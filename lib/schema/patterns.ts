/** Finds the patterns of a schema that cannot be used, and removes them. */
import { isObject, type JsonObject, type JsonValue } from '#lib/spec/json'
import { patternProblem } from './pattern'
import { plainKeywords } from './refs'

export interface UnusablePattern {
  readonly pattern: string
  /** The end of a sentence about the pattern. */
  readonly problem: string
}

/** The first unusable pattern anywhere in the schema, whether for texts or for keys. */
export function unusablePattern(root: JsonObject): UnusablePattern | undefined {
  for (const schema of objectsIn(root)) {
    for (const pattern of patternsOf(schema)) {
      const problem = patternProblem(pattern)
      if (problem !== undefined) return { pattern, problem }
    }
  }
  return undefined
}

/** A copy of the schema without unusable patterns. */
export function withoutUnusablePatterns(root: JsonObject): JsonObject {
  const copy = structuredClone(root)
  for (const schema of objectsIn(copy)) {
    if (typeof schema.pattern === 'string' && patternProblem(schema.pattern) !== undefined)
      delete schema.pattern
    const { patternProperties: byPattern } = schema
    if (!isObject(byPattern)) continue
    for (const pattern of Object.keys(byPattern))
      if (patternProblem(pattern) !== undefined) delete byPattern[pattern]
    if (Object.keys(byPattern).length === 0) delete schema.patternProperties
  }
  return copy
}

function patternsOf({ pattern, patternProperties }: JsonObject): string[] {
  return [
    ...(typeof pattern === 'string' ? [pattern] : []),
    ...(isObject(patternProperties) ? Object.keys(patternProperties) : []),
  ]
}

/** Every object of the schema, except inside plain values. Iterative, since a person sets the depth. */
function* objectsIn(root: JsonObject): Generator<JsonObject> {
  const left: JsonValue[] = [root]
  for (let each = left.pop(); each !== undefined; each = left.pop()) {
    if (typeof each !== 'object' || each === null) continue
    if (!Array.isArray(each)) yield each
    for (const [key, value] of Object.entries(each)) if (!plainKeywords.has(key)) left.push(value)
  }
}
