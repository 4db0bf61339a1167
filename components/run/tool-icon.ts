'use client'
/**
 * The icon and family of a call: those of its tool, or else those of the kind of entry that provided the
 * tool.
 */
import { useCatalog } from '#components/data/agents'
import type { Catalog } from '#lib/spec/catalog'
import type { Family } from '#lib/spec/kind'
import { lineOf } from '#lib/spec/line'
import type { CallState } from '#lib/spec/state'

export interface ToolMark {
  readonly icon: string
  readonly family: Family
}

type ToolOfCall = Pick<CallState, 'name' | 'source'>

/** Computed once per catalog. */
const read = new WeakMap<Catalog, ReadonlyMap<string, ToolMark>>()

export function toolMark(catalog: Catalog | undefined, { name, source }: ToolOfCall): ToolMark {
  const marks = catalog === undefined ? undefined : marksOf(catalog)
  return marks?.get(`tool ${name}`) ?? marks?.get(`kind tool:${source}`) ?? { icon: 'wrench', family: 'tool' }
}

function marksOf(catalog: Catalog): ReadonlyMap<string, ToolMark> {
  const known = read.get(catalog)
  if (known !== undefined) return known
  const marks = new Map<string, ToolMark>()
  for (const { kind, icon, family } of catalog.kinds) marks.set(`kind ${kind}`, { icon, family })
  for (const { name, icon } of catalog.tools) marks.set(`tool ${name}`, { icon, family: 'tool' })
  read.set(catalog, marks)
  return marks
}

/** Reads the catalog; until it is loaded, every call has a wrench. */
export function useToolMark(): (call: ToolOfCall) => ToolMark {
  const { data } = useCatalog()
  return (call) => toolMark(data, call)
}

/** Where the tool of a call comes from, in words: `Built in`, `MCP server “docs”`. */
export function sourceWords(
  catalog: Catalog | undefined,
  { source, name, scopeName = name }: Pick<CallState, 'source' | 'name' | 'scopeName'>,
): string | undefined {
  if (source === 'builtin') return 'Built in'
  const label = catalog?.kinds.find((each) => each.kind === `tool:${source}`)?.label ?? source
  const end = holdsMany.has(source) ? scopeName.indexOf('.') : -1
  return end > 0 ? `${label} “${lineOf(scopeName.slice(0, end))}”` : label
}

/** Sources whose tools begin with the name of the server or the document that they are from. */
const holdsMany: ReadonlySet<string | undefined> = new Set(['mcp', 'openapi'])

/** The name of a policy on screen, by its `use`. */
export function policyLabel(catalog: Catalog | undefined, policy: string): string {
  return catalog?.kinds.find((each) => each.kind === `policy:${policy}`)?.label ?? policy
}
