/** What a person called a part: the name in its settings if it has one, otherwise a title on its card alone. */
import { type Edited, patchConfig, setTitle } from '#lib/graph/edit'
import { isAgent, kindOf } from '#lib/graph/kinds'
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument, GraphNode } from '#lib/spec/graph'

/** The key of the setting that holds a node's own name; undefined for a part that is called by what it does. */
export function nameKey(node: GraphNode, catalog: Catalog): 'title' | 'name' | undefined {
  const kind = kindOf(catalog, node.kind)
  if (isAgent(kind)) return 'title'
  return kind?.scope?.name === 'name' ? 'name' : undefined
}

/** Empty when nobody has named it. */
export function ownName(node: GraphNode, catalog: Catalog): string {
  const key = nameKey(node, catalog)
  const value = key === undefined ? node.title : node.config[key]
  return typeof value === 'string' ? value : ''
}

export function renameNode(graph: GraphDocument, node: GraphNode, text: string, catalog: Catalog): Edited {
  const key = nameKey(node, catalog)
  if (key === undefined) return setTitle(graph, node.id, text)
  return patchConfig(graph, node.id, { [key]: text === '' ? undefined : text }, catalog)
}
