/** Checks the JSON Schemas that a person writes, since one that cannot be read would refuse everything. */
import { unusablePattern } from '#lib/schema/patterns'
import type { Diagnostic } from '#lib/spec/errors'
import { isObject, isParameters, type JsonObject } from '#lib/spec/json'
import type { NodeKind } from '#lib/spec/kind'
import type { Drawing } from './drawing'
import { kindOf } from './kinds'

export function checkParameters(drawing: Drawing): Diagnostic[] {
  return [...checkTools(drawing), ...checkOutput(drawing), ...checkPolicySchemas(drawing)]
}

/** An arguments policy denies every call when its schema cannot be used. */
function checkPolicySchemas({ lists, catalog, paths }: Drawing): Diagnostic[] {
  return [...lists.values()].flat().flatMap((node): Diagnostic[] => {
    const { schema } = node.config
    if (kindOf(catalog, node.kind)?.out !== 'policy' || !isObject(schema)) return []
    const message = unreadable(schema)
    if (message === undefined) return []
    const path = `${paths.get(node.id)}/schema`
    return [{ severity: 'error', code: 'schema_invalid', message, node: node.id, path }]
  })
}

function checkOutput({ objects, paths }: Drawing): Diagnostic[] {
  return (objects.get('output') ?? []).flatMap((node): Diagnostic[] => {
    const { schema } = node.config
    const message = isObject(schema) ? unreadable(schema) : undefined
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

/** The setting that holds the parameters of an entry's one tool. */
export function parametersKey(kind: NodeKind): string | undefined {
  return Object.entries(kind.schema.properties ?? {}).find(([, each]) => each.format === 'parameters')?.[0]
}

function problemOf(schema: JsonObject, form: unknown): string | undefined {
  if (!isParameters(schema))
    return `Parameters must be ${typeof form === 'string' ? form : 'a JSON Schema of an object'}.`
  return unreadable(schema)
}

function unreadable(schema: JsonObject): string | undefined {
  const found = unusablePattern(schema)
  if (found === undefined) return undefined
  const { pattern, problem } = found
  return `The pattern “${pattern.slice(0, 100)}” cannot be used: ${problem}. Correct it, or take it out.`
}
