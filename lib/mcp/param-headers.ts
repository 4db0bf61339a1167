/**
 * Checks the `x-mcp-header` marks in the parameters of a tool. Over Streamable HTTP, since 2026-07-28, the argument
 * of a marked parameter is repeated as the header `Mcp-Param-<mark>`. The protocol asks clients to leave out a tool
 * whose marks are invalid.
 */
import { isObject, type JsonObject } from '#lib/spec/json'

const mark = 'x-mcp-header'
const markedTypes: readonly unknown[] = ['string', 'integer', 'boolean']
/** The names that HTTP allows for a header. */
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
/** Keywords whose values are not schemas. */
const values: ReadonlySet<string> = new Set([mark, 'default', 'const', 'enum', 'examples'])
/** Keywords whose values are schemas by name. */
const schemasByName: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
])

/** Why the marks of a schema are invalid; undefined if they are valid, or if there are none. */
export function faultOfMarks(parameters: JsonObject): string | undefined {
  const taken = new Set<string>()
  for (const [key, each] of Object.entries(parameters)) {
    const fault = faultIn(key, each, { taken, isParameter: true })
    if (fault !== undefined) return fault
  }
  return mark in parameters ? misplaced : undefined
}

const misplaced = `its schema has an ${mark} that does not belong to a parameter`

interface Place {
  /** The headers of the marks before this one, in lower case. */
  readonly taken: Set<string>
  /** Whether only `properties` lead to this place, so that every call has at most one argument for it. */
  readonly isParameter: boolean
}

/** @param value what a schema has under `key` */
function faultIn(key: string, value: unknown, { taken, isParameter }: Place): string | undefined {
  if (values.has(key) || typeof value !== 'object' || value === null) return undefined
  const place = { taken, isParameter: isParameter && key === 'properties' }
  const isList = Array.isArray(value) || schemasByName.has(key)
  for (const schema of isList ? Object.values(value) : [value]) {
    const fault = isObject(schema) ? faultOfSchema(schema, place) : undefined
    if (fault !== undefined) return fault
  }
  return undefined
}

function faultOfSchema(schema: JsonObject, place: Place): string | undefined {
  if (mark in schema) {
    const fault = place.isParameter ? faultOfMark(schema, place.taken) : misplaced
    if (fault !== undefined) return fault
  }
  for (const [key, each] of Object.entries(schema)) {
    const fault = faultIn(key, each, place)
    if (fault !== undefined) return fault
  }
  return undefined
}

function faultOfMark({ [mark]: name, type }: JsonObject, taken: Set<string>): string | undefined {
  if (typeof name !== 'string' || !headerName.test(name))
    return `its schema has an ${mark} that is not the name of a header`
  if (!markedTypes.includes(type))
    return `its schema has the ${mark} “${name}” on a parameter that is not a string, an integer or a boolean`
  if (taken.has(name.toLowerCase())) return `its schema has the ${mark} “${name}” twice`
  taken.add(name.toLowerCase())
  return undefined
}
