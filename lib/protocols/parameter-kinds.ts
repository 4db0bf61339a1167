/**
 * What a format without types must know about a tool's parameters: which of them are text and which are JSON.
 */
import type { JsonSchema } from '#lib/spec/json'

/** `list` is JSON too, and may also be given as several values with one name. */
export type ParameterKind = 'text' | 'json' | 'list'

export interface Parameters {
  readonly names: ReadonlySet<string>
  readonly required: readonly string[]
  kind(name: string): ParameterKind
}

export function parametersOf(schema: JsonSchema): Parameters {
  const kinds = new Map<string, ParameterKind>()
  for (const [name, each] of Object.entries(schema.properties ?? {})) kinds.set(name, kindOf(schema, each))
  return {
    names: new Set(kinds.keys()),
    required: schema.required ?? [],
    kind: (name) => kinds.get(name) ?? 'text',
  }
}

function kindOf(root: JsonSchema, schema: JsonSchema): ParameterKind {
  const types = new Set<string>()
  gather(root, schema, types, 0)
  types.delete('null')
  if (types.size === 0 || types.has('string')) return 'text'
  return types.size === 1 && types.has('array') ? 'list' : 'json'
}

/** References may be circular, and real schemas do not nest deeper than this. */
const deepest = 8

function gather(root: JsonSchema, given: unknown, types: Set<string>, depth: number): void {
  if (!isSchema(given) || depth > deepest) return
  const { type, enum: values, const: constant, anyOf, oneOf, allOf, $ref } = given
  if (type !== undefined) {
    for (const each of typeof type === 'string' ? [type] : type) types.add(each)
    return
  }
  if (values !== undefined) for (const each of values) types.add(typeOf(each))
  else if (constant !== undefined) types.add(typeOf(constant))
  if (typeof $ref === 'string') gather(root, followPointer(root, $ref), types, depth + 1)
  for (const list of [anyOf, oneOf, allOf])
    if (Array.isArray(list)) for (const each of list) gather(root, each, types, depth + 1)
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** The value that a reference within the same schema points to. */
function followPointer(root: JsonSchema, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined
  let at: unknown = root
  for (const step of reference.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    at = isSchema(at) ? at[key] : undefined
  }
  return at
}
