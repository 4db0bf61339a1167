/**
 * Which tools of an MCP server are offered: those whose name, description and schemas are what was accepted. The
 * tools of the first connection are accepted as they are; later changes are off until a person has looked at them.
 */
import { createHash } from 'node:crypto'
import { type JsonValue, jsonKey } from '#lib/spec/json'
import type { McpTool, WithheldTool } from '#lib/spec/mcp'
import type { McpToolStatus } from '#lib/wire/mcp-servers'

/** What is remembered of a server's tools. */
export interface ToolMemory {
  /** The accepted tools; null before the first connection. */
  readonly pins: readonly McpTool[] | null
  /** Tools that a person turned off: the name and the hash of each. Pairs, since a name may be any text. */
  readonly refused: readonly (readonly [string, string])[]
  /** What the server listed last. */
  readonly listed: readonly McpTool[]
  /** What else it listed last: tools that cannot be offered, such as one whose schema describes no object. */
  readonly unusable?: readonly WithheldTool[]
}

export const noTools: ToolMemory = { pins: null, refused: [], listed: [] }

export interface JudgedTool {
  readonly tool: McpTool
  readonly hash: string
  readonly status: McpToolStatus
  readonly reason?: string
  /** The tool as it was accepted, if it differs now. */
  readonly before?: McpTool
}

/** The hash of everything that a model reads of a tool. */
export function hashTool({ name, title, description, parameters, outputSchema }: McpTool): string {
  // cast: a JSON Schema is JSON, which its open type does not say
  const read = [name, title ?? null, description, parameters, outputSchema ?? null] as JsonValue[]
  return hashText(jsonKey(read))
}

export function hashTools(tools: readonly McpTool[]): string {
  return hashText(tools.map(hashTool).sort().join('\n'))
}

export function hashText(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`
}

/** The memory after the server has listed these tools. An empty first list accepts nothing. */
export function seeTools(memory: ToolMemory, listed: readonly McpTool[]): ToolMemory {
  const isFirst = memory.pins === null && listed.length > 0
  return { ...memory, listed, pins: isFirst ? listed : memory.pins }
}

/** Each tool with its status, by name; accepted tools that are no longer listed come with them. */
export function judgeTools({ pins, refused, listed }: ToolMemory): JudgedTool[] {
  const accepted = new Map((pins ?? []).map((tool) => [tool.name, tool]))
  const off = new Map(refused)
  const names = new Set(listed.map(({ name }) => name))
  const gone = [...accepted.values()].filter(({ name }) => !names.has(name))
  const twice = repeatedNames(listed)
  const byFace = new Map(gone.map((tool) => [faceOf(tool), tool.name]))
  const judged = listed.map((tool): JudgedTool => {
    const hash = hashTool(tool)
    const before = accepted.get(tool.name)
    const found = { tool, hash }
    if (twice.has(tool.name))
      return { ...found, status: 'changed', reason: 'The server lists several tools with this name.' }
    if (off.get(tool.name) === hash)
      return { ...found, status: 'refused', reason: 'A person has turned it off.' }
    if (before === undefined)
      return { ...found, status: 'added', reason: addedReason(byFace.get(faceOf(tool))) }
    if (hashTool(before) === hash) return { ...found, status: 'on' }
    return { ...found, status: 'changed', reason: `It has changed since it was accepted. ${look}`, before }
  })
  const missing = gone.map(
    (tool): JudgedTool => ({
      tool,
      hash: hashTool(tool),
      status: 'gone',
      reason: 'The server does not list it at present.',
    }),
  )
  return [...judged, ...missing].sort((a, b) => (a.tool.name < b.tool.name ? -1 : 1))
}

const look = 'Look at it under Settings → MCP servers.'

function addedReason(before: string | undefined): string {
  if (before !== undefined) return `The server has renamed ${before} to this. ${look}`
  return `The server has added it since its tools were accepted. ${look}`
}

/** A tool without its name: equal for a tool that was only renamed. */
function faceOf(tool: McpTool): string {
  return hashTool({ ...tool, name: '' })
}

function repeatedNames(tools: readonly McpTool[]): ReadonlySet<string> {
  const seen = new Set<string>()
  const twice = new Set<string>()
  for (const { name } of tools) (seen.has(name) ? twice : seen).add(name)
  return twice
}

/**
 * The memory after a person has decided about tools, which are given by their hashes. Undefined when a tool is no
 * longer what the person saw. Accepting a tool that is gone forgets it.
 */
export function decideTools(
  memory: ToolMemory,
  { accept, refuse }: { readonly accept: readonly string[]; readonly refuse: readonly string[] },
): ToolMemory | undefined {
  const judged = new Map(judgeTools(memory).map((each) => [each.hash, each]))
  const accepting = accept.map((hash) => judged.get(hash))
  const refusing = refuse.map((hash) => judged.get(hash))
  const pins = new Map((memory.pins ?? []).map((tool) => [tool.name, tool]))
  const refused = new Map(memory.refused)
  for (const found of accepting) {
    if (found === undefined) return undefined
    const { tool, status } = found
    if (status === 'gone') pins.delete(tool.name)
    else pins.set(tool.name, tool)
    refused.delete(tool.name)
  }
  for (const found of refusing) {
    if (found === undefined) return undefined
    refused.set(found.tool.name, found.hash)
  }
  return { ...memory, pins: [...pins.values()], refused: [...refused] }
}
