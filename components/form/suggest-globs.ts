/** What a field for patterns over tool names suggests: the agent's own tools first, then all others. */
import { entryTools } from '#lib/graph/entry-tools'
import { kindOf } from '#lib/graph/kinds'
import { globsOf } from '#lib/graph/scope'
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument } from '#lib/spec/graph'

/** Names of the tools in the drawing, in its order, each once. */
export function ownToolNames(graph: GraphDocument, catalog: Catalog): string[] {
  const names = graph.nodes.flatMap((node) => {
    const kind = kindOf(catalog, node.kind)
    if (kind?.scope === undefined) return []
    if (kind.scope.name !== undefined) return globsOf(node.config, kind)
    return entryTools(node, kind, catalog).map((each) => each.name)
  })
  return [...new Set(names)]
}

/** Own tools and their families (`files.*`), then the other families and tools. */
export function suggestGlobs(own: readonly string[], names: readonly string[]): string[] {
  const others = names.filter((each) => !own.includes(each))
  return [...new Set([...own, ...familiesOf(own), ...familiesOf(names), ...others])]
}

/** `schema.*` for each prefix that several tools share. */
function familiesOf(names: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const name of names) {
    const dot = name.indexOf('.')
    if (dot > 0) counts.set(name.slice(0, dot), (counts.get(name.slice(0, dot)) ?? 0) + 1)
  }
  return [...counts].flatMap(([prefix, count]) => (count > 1 ? [`${prefix}.*`] : []))
}
