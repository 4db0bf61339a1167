/** Turns one entry of `tools` into bound tools: preset values hidden and always winning, the entry's own time limit. */
import type { ToolEntry } from '#lib/spec/config'
import type { JsonObject, JsonSchema } from '#lib/spec/json'
import type { Tool } from '#lib/spec/tool'
import type { BoundTool, Toolkit, ToolkitContext } from '#lib/spec/toolkit'

export interface OpenEntry {
  /** The one the entry's `use` names. */
  readonly toolkit: Toolkit
  readonly entry: ToolEntry
  /** Its place in `tools`. */
  readonly index: number
}

/** Opens an entry with its toolkit: its tools in the order offered. */
export async function openEntry(
  { toolkit, entry, index }: OpenEntry,
  context: ToolkitContext,
): Promise<BoundTool[]> {
  const { use: _use, preset: _preset, timeoutSeconds: _timeout, cache: _cache, ...settings } = entry
  const tools = await toolkit.open(settings, context)
  return tools.map((tool) => bindTool(tool, entry, `tools/${index}`))
}

/** One tool as a run calls it; `node` is the entry's path. */
export function bindTool(tool: Tool, entry: ToolEntry, node: string): BoundTool {
  const preset = Object.hasOwn(entry.preset, tool.name) ? (entry.preset[tool.name] ?? {}) : {}
  return {
    name: tool.name,
    scopeName: tool.name,
    node,
    source: entry.use,
    description: tool.description,
    parameters: withoutKeys(tool.parameters, preset),
    preset: Object.keys(preset),
    risk: tool.risk,
    effect: tool.effect,
    timeoutSeconds: entry.timeoutSeconds ?? tool.timeoutSeconds,
    ...(entry.cache === true && { cache: true }),
    ...(tool.aliases !== undefined && { aliases: tool.aliases }),
    ...(tool.ends === true && { ends: true }),
    run: (args, context) => tool.run({ ...args, ...preset }, context),
  }
}

/** The schema as the model sees it: preset arguments are neither offered nor required. */
function withoutKeys(schema: JsonSchema, hidden: JsonObject): JsonSchema {
  if (Object.keys(hidden).length === 0) return schema
  const shown = (key: string) => !Object.hasOwn(hidden, key)
  const { properties = {}, required = [], ...rest } = schema
  const left = required.filter(shown)
  return {
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([key]) => shown(key))),
    ...(left.length > 0 ? { required: left } : {}),
  }
}
