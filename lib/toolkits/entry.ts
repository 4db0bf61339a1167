/**
 * Turns one entry of `tools` into bound tools: preset arguments are hidden and always win, and the entry may
 * set its own time limit and class.
 */
import { commonToolKeys, type ToolEntry } from '#lib/spec/config'
import type { Diagnostic, Result } from '#lib/spec/errors'
import { basicGroup, groupKey } from '#lib/spec/group'
import type { JsonObject, JsonSchema } from '#lib/spec/json'
import type { Tool, ToolPorts } from '#lib/spec/tool'
import { classFaults, classOf, isHeldToReading, type ToolClass } from '#lib/spec/tool-class'
import type { BoundTool, Toolkit, ToolkitContext } from '#lib/spec/toolkit'

export interface OpenEntry {
  /** The toolkit that the entry's `use` names. */
  readonly toolkit: Toolkit
  readonly entry: ToolEntry
  /** Its index in `tools`. */
  readonly index: number
}

/**
 * Opens an entry with its toolkit. Returns its tools in the order they are offered, or the errors in the
 * class that the entry gives them.
 */
export async function openEntry(
  { toolkit, entry, index }: OpenEntry,
  context: ToolkitContext,
): Promise<Result<BoundTool[]>> {
  const settings = settingsOf(entry)
  const tools = await toolkit.open(settings, context)
  const faults = classFaults(tools.map(classOfTool), entry)
  const node = `tools/${index}`
  if (faults.length === 0) return { ok: true, value: tools.map((tool) => bindTool(tool, entry, node)) }
  const error = faults.map(({ key, code, message }): Diagnostic => {
    return { severity: 'error', code, message, path: `${node}/${key}` }
  })
  return { ok: false, error }
}

/**
 * The tools that an entry lists now, as a run calls them; undefined while they are as it was opened. Tools
 * that cannot have the class that the entry gives them are left out.
 */
export async function listEntry(
  { toolkit, entry, index }: OpenEntry,
  ports: ToolPorts,
): Promise<
  { readonly of: readonly Tool[]; readonly bound: () => BoundTool[]; readonly reason: string } | undefined
> {
  const now = await toolkit.now?.(settingsOf(entry), ports)
  if (now === undefined) return undefined
  const { tools, reason } = now
  const bound = () =>
    tools
      .filter((tool) => classFaults([classOfTool(tool)], entry).length === 0)
      .map((tool) => bindTool(tool, entry, `tools/${index}`))
  return { of: tools, bound, reason }
}

/** The entry's own part, which its toolkit's schema describes. */
function settingsOf(entry: ToolEntry): Record<string, unknown> {
  const common = new Set(['use', groupKey, ...Object.keys(commonToolKeys)])
  return Object.fromEntries(Object.entries(entry).filter(([key]) => !common.has(key)))
}

function classOfTool({ name, risk, effect, reading }: Tool): ToolClass & { readonly name: string } {
  return { name, risk, effect, canOnlyRead: reading !== undefined }
}

/** One tool as a run calls it; `node` is the path of the entry. */
export function bindTool(given: Tool, entry: ToolEntry, node: string): BoundTool {
  const own = classOfTool(given)
  const tool = isHeldToReading(own, entry) ? { ...given, ...given.reading } : given
  const preset = Object.hasOwn(entry.preset, tool.name) ? (entry.preset[tool.name] ?? {}) : {}
  return {
    name: tool.name,
    scopeName: tool.name,
    node,
    ...(entry.group !== undefined && entry.group !== basicGroup && { group: entry.group }),
    source: entry.use,
    description: tool.description,
    parameters: withoutKeys(tool.parameters, preset),
    preset: Object.keys(preset),
    ...classOf(own, entry),
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
