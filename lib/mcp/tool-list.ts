/** Reads the tools that a server lists, page by page, and leaves out those that cannot be offered. */
import type { Tool } from '@modelcontextprotocol/client'
import { isObject, isParameters, type JsonObject, type JsonSchema } from '#lib/spec/json'
import type { McpTool, WithheldTool } from '#lib/spec/mcp'
import { cleanJson, maxDescriptionChars, maxNameChars, maxPages, maxSchemaBytes, maxTools } from './limits'
import { faultOfMarks } from './param-headers'

export interface ToolList {
  /** In the order of their names, so that a server that lists them in another order changes nothing. */
  readonly tools: readonly McpTool[]
  readonly withheld: readonly WithheldTool[]
  /** The schemas as the server wrote them: a call needs the server's own. */
  readonly schemas: ReadonlyMap<string, Tool['inputSchema']>
}

/** A page as it came, unchecked. */
export interface ToolPage {
  readonly tools?: unknown
  readonly nextCursor?: unknown
}

export type ReadToolPage = (cursor: string | undefined) => Promise<ToolPage>

/**
 * Ends at the last page, at a cursor that came before, and at a limit.
 * @param repeatsArguments whether calls of these tools repeat marked arguments as headers
 */
export async function readToolList(readPage: ReadToolPage, repeatsArguments = false): Promise<ToolList> {
  const seen = new Set<string>()
  const listed: unknown[] = []
  let cursor: string | undefined
  for (let page = 0; page < maxPages && listed.length <= maxTools; page++) {
    const { tools, nextCursor } = await readPage(cursor)
    if (Array.isArray(tools)) for (const each of tools) listed.push(each)
    if (typeof nextCursor !== 'string' || seen.has(nextCursor)) break
    seen.add(nextCursor)
    cursor = nextCursor
  }
  return sortTools(listed, repeatsArguments)
}

function sortTools(listed: readonly unknown[], repeatsArguments: boolean): ToolList {
  const tools: McpTool[] = []
  const withheld: WithheldTool[] = []
  const schemas = new Map<string, Tool['inputSchema']>()
  for (const each of listed.slice(0, maxTools)) {
    const { name, inputSchema = {} } = isObject(each) ? each : {}
    if (!isObject(each) || typeof name !== 'string') continue
    const schema = withType(inputSchema)
    const fault = schemas.has(name)
      ? 'the server lists two tools with this name'
      : faultOf(name, schema, repeatsArguments)
    if (fault === undefined && isObject(schema)) {
      schemas.set(name, inputSchema as Tool['inputSchema']) // cast: `isParameters` was checked
      tools.push(readTool(name, schema, each))
    } else withheld.push({ name: name.slice(0, maxNameChars), reason: fault ?? 'it has no schema' })
  }
  if (listed.length > maxTools)
    withheld.push({
      name: '*',
      reason: `the server lists more than ${maxTools} tools; the others are left out`,
    })
  return { tools: tools.sort(byName), withheld: withheld.sort(byName), schemas }
}

interface Named {
  readonly name: string
}

function byName(a: Named, b: Named): number {
  return a.name < b.name ? -1 : 1
}

/** Many servers leave out the type of a schema that has nothing in it. */
function withType(schema: unknown): unknown {
  if (!isObject(schema)) return schema
  const { type } = schema
  const isOpen = type === undefined || (Array.isArray(type) && type.includes('object'))
  return isOpen ? { ...schema, type: 'object' } : schema
}

/** Why a tool cannot be offered; undefined if it can. */
function faultOf(name: string, schema: unknown, repeatsArguments: boolean): string | undefined {
  if (name === '' || name.length > maxNameChars) return `its name must have 1 to ${maxNameChars} characters`
  if (/[\s\p{C}*]/u.test(name)) return 'its name contains a space, an asterisk or an invisible character'
  if (!isObject(schema)) return 'its schema does not describe an object'
  if (cleanJson(schema) === undefined) return 'its schema is nested too deeply'
  if (Buffer.byteLength(JSON.stringify(schema)) > maxSchemaBytes)
    return `its schema is larger than ${maxSchemaBytes / 1_024} KiB`
  if (!isParameters(schema)) return 'its schema does not describe an object'
  if (pointsOutside(schema)) return 'its schema refers to another document'
  return repeatsArguments ? faultOfMarks(schema) : undefined
}

/** Whether a schema has a `$ref` to anything but itself, which would have to be fetched. */
function pointsOutside(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(pointsOutside)
  if (!isObject(value)) return false
  return Object.entries(value).some(([key, each]) => {
    const isReference = (key === '$ref' || key === '$dynamicRef') && typeof each === 'string'
    return isReference ? !each.startsWith('#') : pointsOutside(each)
  })
}

function readTool(name: string, parameters: JsonObject, given: JsonObject): McpTool {
  const { title, description, outputSchema, annotations } = given
  const hints = isObject(annotations) && cleanJson(annotations) !== undefined ? annotations : undefined
  const label = [title, hints?.title].find((each) => typeof each === 'string')
  return {
    name,
    ...(typeof label === 'string' && { title: label }),
    description: typeof description === 'string' ? description.slice(0, maxDescriptionChars) : '',
    parameters: parameters as JsonSchema, // cast: `isParameters` was checked
    ...(isObject(outputSchema) && cleanJson(outputSchema) !== undefined && { outputSchema }),
    ...(hints && { annotations: hints }),
  }
}
