/** Finds the catalog's tools that an entry of `tools` names. */
import type { Catalog, CatalogTool } from '#lib/spec/catalog'
import { matchesAny } from '#lib/spec/glob'
import type { GraphNode } from '#lib/spec/graph'
import type { NodeKind } from '#lib/spec/kind'
import { classFaults, classOf, givenClass } from '#lib/spec/tool-class'
import { chosenNames, listedNames } from '#lib/spec/tool-scope'

/** The tools that match an entry's globs, in the catalog's order; none for other nodes. */
export function entryTools(node: GraphNode, kind: NodeKind, catalog: Catalog): readonly CatalogTool[] {
  const globs = globsOf(node, kind)
  if (globs === undefined || kind.use === undefined) return []
  return catalog.tools.filter((each) => each.use === kind.use && matchesAny(globs, each.name))
}

/** The same tools, each with the class that the entry gives it. */
export function classedTools(node: GraphNode, kind: NodeKind, catalog: Catalog): readonly CatalogTool[] {
  const tools = entryTools(node, kind, catalog)
  const given = givenClass(node.config)
  if ((given.risk ?? given.effect) === undefined || classFaults(tools, given).length > 0) return tools
  return tools.map((each) => ({ ...each, ...classOf(each, given) }))
}

/** The listed names and patterns, or the names that were chosen; undefined for a node whose kind has neither. */
export function globsOf(node: GraphNode, kind: NodeKind): string[] | undefined {
  const { list, itemName, choice } = kind.scope ?? {}
  if (choice !== undefined) return chosenNames(choice, node.config)
  if (list === undefined) return undefined
  return listedNames({ list, ...(itemName !== undefined && { itemName }) }, node.config)
}
