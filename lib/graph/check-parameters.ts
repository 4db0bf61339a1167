/** Checks the schemas that a person gives, for a tool's arguments or for the answer: what cannot be read would refuse everything. */
import type { Diagnostic } from '#lib/spec/errors'
import { isParameters, type JsonObject, type JsonValue } from '#lib/spec/json'
import type { NodeKind } from '#lib/spec/kind'
import type { Drawing } from './drawing'
import { isObject } from './equal'
import { kindOf } from './kinds'

export function checkParameters(drawing: Drawing): Diagnostic[] {
  return [...checkTools(drawing), ...checkOutput(drawing)]
}

function checkOutput({ objects, paths }: Drawing): Diagnostic[] {
  return (objects.get('output') ?? []).flatMap((node): Diagnostic[] => {
    const { schema } = node.config
    const message = isObject(schema) ? patternProblem(schema) : undefined
    if (message === undefined) return []
    const path = `${paths.get(node.id)}/schema`
    return [{ severity: 'error', code: 'schema_invalid', message, node: node.id, path }]
  })
}

function checkTools(drawing: Drawing): Diagnostic[] {
  return drawing.toolEntries.flatMap((node) => {
    const kind = kindOf(drawing.catalog, node.kind)
    const key = kind && parametersKey(kind)
    const schema = key === undefined ? undefined : node.config[key]
    if (kind === undefined || key === undefined || !isObject(schema)) return []
    const message = problemOf(schema, kind.schema.properties?.[key]?.form)
    if (message === undefined) return []
    const path = `${drawing.paths.get(node.id)}/${key}`
    return [{ severity: 'error', code: 'parameters_invalid', message, node: node.id, path } as const]
  })
}

/** The setting in which an entry of the kind says what its one tool takes. */
export function parametersKey(kind: NodeKind): string | undefined {
  return Object.entries(kind.schema.properties ?? {}).find(([, each]) => each.format === 'parameters')?.[0]
}

function problemOf(schema: JsonObject, form: unknown): string | undefined {
  if (!isParameters(schema))
    return `Parameters must be ${typeof form === 'string' ? form : 'a JSON Schema of an object'}.`
  return patternProblem(schema)
}

function patternProblem(schema: JsonObject): string | undefined {
  const pattern = unreadablePattern(schema)
  if (pattern === undefined) return undefined
  return `The pattern “${pattern.slice(0, 100)}” cannot be read as a regular expression. Correct it, or take it out.`
}

/** Keywords whose values are no schemas. */
export const plainValues = new Set(['default', 'const', 'enum', 'examples'])

/** The first pattern anywhere in the schema that is none. Goes down a list of its own, for the depth is the person's. */
function unreadablePattern(root: JsonValue): string | undefined {
  const left: JsonValue[] = [root]
  for (let each = left.pop(); each !== undefined; each = left.pop()) {
    if (typeof each !== 'object' || each === null) continue
    if (!Array.isArray(each) && typeof each.pattern === 'string' && !isPattern(each.pattern))
      return each.pattern
    for (const [key, value] of Object.entries(each)) if (!plainValues.has(key)) left.push(value)
  }
  return undefined
}

export function isPattern(text: string): boolean {
  try {
    // As the one who checks arguments reads it.
    return new RegExp(text, 'u') instanceof RegExp
  } catch {
    return false
  }
}
