/** The names under which a model may call a tool: its own, its aliases, and names that it shares with other tools. */
import { type JsonObject, ownValue } from '#lib/spec/json'
import type { BoundTool } from '#lib/spec/toolkit'

/** Tools by every name that a model may use. A tool's own name wins over an alias, and an alias over a shared name. */
export function namesOf(tools: readonly BoundTool[]): Map<string, BoundTool> {
  const names = new Map(tools.map((tool) => [tool.name, tool]))
  const add = (name: string, tool: BoundTool) => {
    if (!names.has(name)) names.set(name, tool)
  }
  for (const tool of tools) for (const alias of tool.aliases ?? []) add(alias, tool)
  for (const tool of tools) for (const { name } of tool.sharedNames ?? []) add(name, tool)
  return names
}

/**
 * The tool's own name for the name that a call was made by. Where several tools share it, the arguments decide;
 * without them, and for a value that no tool stands for, it is the tool that has the name by itself.
 * @param names what `namesOf` gave
 */
export function nameOfCall(names: ReadonlyMap<string, BoundTool>, said: string, args?: JsonObject): string {
  const tool = names.get(said)
  if (tool === undefined || tool.name === said) return tool?.name ?? said
  const shared = tool.sharedNames?.find(({ name }) => name === said)
  const value = shared !== undefined && args !== undefined ? args[shared.argument] : undefined
  const wanted = shared !== undefined && typeof value === 'string' ? ownValue(shared.tools, value) : undefined
  if (wanted === undefined) return tool.name
  for (const each of names.values())
    if (each.scopeName === wanted && each.sharedNames?.some(({ name }) => name === said)) return each.name
  // It is not offered: the call is refused under its own name.
  return wanted
}
