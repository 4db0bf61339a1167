/** Which parts have a name of their own, and which setting holds it. */
import { isAgent, kindOf } from '#lib/graph/kinds'
import type { Catalog } from '#lib/spec/catalog'
import type { GraphNode } from '#lib/spec/graph'

/** The key of the setting that holds a node's own name; undefined for a part that has none. */
export function nameKey(node: GraphNode, catalog: Catalog): 'title' | 'name' | undefined {
  const kind = kindOf(catalog, node.kind)
  if (isAgent(kind)) return 'title'
  return kind?.scope?.name === 'name' ? 'name' : undefined
}
