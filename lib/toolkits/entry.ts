/**
 * Turns one entry of `tools` into bound tools: preset arguments are hidden and always win, and the entry may
 * set its own names, descriptions, limits and class, and pick from the results.
 */
import type { ToolEntry } from '#lib/spec/config'
import type { Diagnostic, Result } from '#lib/spec/errors'
import { basicGroup } from '#lib/spec/group'
import { isObject, type JsonObject, type JsonSchema } from '#lib/spec/json'
import { readPath } from '#lib/spec/json-path'
import type { WithheldTool } from '#lib/spec/mcp'
import type { ServerText } from '#lib/spec/server-text'
import type { Tool, ToolPorts } from '#lib/spec/tool'
import { classFaults, classOf, isHeldToReading, type ToolClass } from '#lib/spec/tool-class'
import { bothWaysWords } from '#lib/spec/tool-scope'
import { usualWeight } from '#lib/spec/tool-view'
import type { BoundTool, Recaller, Toolkit, ToolkitContext, WithheldByToolkit } from '#lib/spec/toolkit'
import { pickOutput } from './pick'

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
  const settings = settingsOf(toolkit, entry)
  const both = bothWaysWords(toolkit.scope, entry)
  if (both !== undefined) {
    const path = `tools/${index}/${toolkit.scope.without}`
    return { ok: false, error: [{ severity: 'error', code: 'tool_both_ways', message: both, path }] }
  }
  const wrong = (toolkit.check?.(settings) ?? []).filter(({ severity }) => severity === 'error')
  if (wrong.length > 0)
    return { ok: false, error: wrong.map((each) => ({ ...each, path: `tools/${index}/${each.path}` })) }
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
): Promise<EntryNow | undefined> {
  const now = await toolkit.now?.(settingsOf(toolkit, entry), ports)
  if (now === undefined) return undefined
  const { tools, withheld, reason } = now
  const node = `tools/${index}`
  const bound = () =>
    tools
      .filter((tool) => classFaults([classOfTool(tool)], entry).length === 0)
      .map((tool) => bindTool(tool, entry, node))
  const named = withheld?.map((each) => ({ ...each, node, source: entry.use })) ?? []
  return { of: tools, bound, withheldOf: withheld, withheld: named, reason }
}

/** The tools of an entry as they are now. */
export interface EntryNow {
  /** As the toolkit gave them; the same arrays while nothing has changed. */
  readonly of: readonly unknown[]
  readonly withheldOf: readonly WithheldTool[] | undefined
  bound(): BoundTool[]
  readonly withheld: readonly WithheldByToolkit[]
  readonly reason: string
}

/** Lets the toolkit of an entry prepare what it lists, before the first step of a run; returns the texts it gives. */
export async function prepareEntry(
  { toolkit, entry, index }: OpenEntry,
  ports: ToolPorts,
  signal: AbortSignal,
): Promise<ServerText[]> {
  const texts = (await toolkit.prepare?.(settingsOf(toolkit, entry), ports, signal)) ?? []
  return texts.map((each) => ({ node: `tools/${index}`, ...each }))
}

/** What the entry gives runs at their start and remembers at their end; undefined for an entry that does neither. */
export function recallerOf({ toolkit, entry, index }: OpenEntry): Recaller | undefined {
  const { recall, tools: [first] = [] } = toolkit
  if (recall === undefined || first === undefined) return undefined
  const settings = settingsOf(toolkit, entry)
  const node = `tools/${index}`
  return {
    node,
    tool: bindTool(first, entry, node),
    atStart: (asked, ports, signal) => recall.atStart(settings, asked, ports, signal),
    records: recall.records(settings),
  }
}

/** The entry's own part, which its toolkit's schema describes. */
function settingsOf({ settings }: Toolkit, entry: ToolEntry): Record<string, unknown> {
  const own = Object.keys(settings.shape)
  return Object.fromEntries(own.flatMap((key) => (key in entry ? [[key, entry[key]]] : [])))
}

function classOfTool({ name, risk, effect, reading, isAssumed = false }: Tool) {
  return { name, risk, effect, canOnlyRead: reading !== undefined, isAssumed } satisfies ToolClass & {
    readonly name: string
  }
}

/** One tool as a run calls it; `node` is the path of the entry. */
export function bindTool(given: Tool, entry: ToolEntry, node: string): BoundTool {
  const own = classOfTool(given)
  const tool = isHeldToReading(own, entry) ? { ...given, ...given.reading } : given
  const preset = ofTool(entry.preset, tool) ?? {}
  const { description } = entry
  const example = ofTool(entry.example, tool)
  const [xmlName, ...attributes] = ofTool(entry.xml, tool)?.split(' ') ?? []
  const path = readPath(ofTool(entry.pick, tool) ?? '')
  const ends = tool.ends === true || entry.final === true
  const run: BoundTool['run'] = (args, context) => tool.run({ ...args, ...preset }, context)
  return {
    name: ofTool(entry.rename, tool) ?? tool.name,
    scopeName: tool.name,
    node,
    ...(entry.group !== undefined && entry.group !== basicGroup && { group: entry.group }),
    source: entry.use,
    // A toolkit of a single tool has a description of its own, which is a text.
    description: (isObject(description) ? ofTool(description, tool) : undefined) ?? tool.description,
    ...(example !== undefined && { example }),
    ...(xmlName !== undefined && { xml: { name: xmlName, attributes } }),
    ...standingOf(tool, entry),
    parameters: withoutKeys(tool.parameters, preset),
    preset: Object.keys(preset),
    ...classOf(own, entry),
    timeoutSeconds: entry.timeoutSeconds ?? tool.timeoutSeconds,
    ...(entry.retry !== undefined && { retry: entry.retry }),
    ...(entry.cache === true && !tool.changesRun && { cache: true }),
    ...(tool.aliases !== undefined && { aliases: tool.aliases }),
    ...(tool.sharedNames !== undefined && { sharedNames: tool.sharedNames }),
    ...(tool.argumentAliases !== undefined && { argumentAliases: tool.argumentAliases }),
    ...(tool.asksFirst && { asksFirst: true }),
    ...(tool.draft !== undefined && !Object.hasOwn(preset, tool.draft) && { draft: tool.draft }),
    ...(ends && { ends }),
    ...(tool.hint !== undefined && { hint: tool.hint }),
    ...(tool.lack !== undefined && { lack: tool.lack }),
    ...(tool.resumable && { resumable: true }),
    // A call that ends the run is waited for anyway.
    ...(entry.background === true && !ends && { background: true }),
    run: path === undefined ? run : async (args, context) => pickOutput(await run(args, context), path),
  }
}

/** Where a tool comes in the list, and whether it is in it. */
function standingOf(tool: Tool, entry: ToolEntry): Pick<BoundTool, 'weight' | 'core' | 'hidden'> {
  const weight = ofTool(entry.weight, tool) ?? tool.weight ?? usualWeight
  const isCore = ofTool(entry.core, tool) ?? tool.core ?? false
  const isVisible = ofTool(entry.visible, tool) ?? tool.visible ?? true
  return {
    ...(weight !== usualWeight && { weight }),
    ...(isCore && { core: true }),
    ...(!isVisible && { hidden: true }),
  }
}

/** The value that an entry gives for one of its tools, if any. */
function ofTool<T>(values: Readonly<Record<string, T>> | undefined, { name }: Tool): T | undefined {
  return values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined
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
