/** Which parts have a name of their own, and where it is kept. */
import { isAgent, kindOf } from '#lib/graph/kinds'
import type { Catalog } from '#lib/spec/catalog'
import type { GraphNode } from '#lib/spec/graph'

/** The key that holds a node's own name; undefined for a part that has none. */
export function nameKey(node: GraphNode, catalog: Catalog): 'title' | 'name' | undefined {
  const kind = kindOf(catalog, node.kind)
  if (isAgent(kind)) return 'title'
  return kind?.scope?.name === 'name' ? 'name' : undefined
}
