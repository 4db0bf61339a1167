/** The model of a drawing: which one answers, and the edit that puts another in its place. Pure. */
import { addNode, type Edited, setConfig, setParked } from '#lib/graph/edit'
import { isAgent, kindOf } from '#lib/graph/kinds'
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument, GraphNode } from '#lib/spec/graph'
import type { JsonObject } from '#lib/spec/json'
import { configOf, demoEntry, entryOf, type ModelEntry, switched } from './entry'

/** The model node wired to the agent, switched off or not. */
export function modelNodeOf(graph: GraphDocument, catalog: Catalog): GraphNode | undefined {
  const agent = graph.nodes.find((each) => isAgent(kindOf(catalog, each.kind)))
  const sources = new Set(graph.edges.flatMap(({ from, to }) => (to.node === agent?.id ? [from.node] : [])))
  return graph.nodes.find((each) => sources.has(each.id) && kindOf(catalog, each.kind)?.out === 'model')
}

/** The model that answers; null while the node wired says no complete one. */
export function drawnModel(graph: GraphDocument, catalog: Catalog): ModelEntry | null {
  const node = modelNodeOf(graph, catalog)
  if (node === undefined || graph.parked.includes(node.id)) return demoEntry
  return entryOf(node.config)
}

/** The drawing with another model: its model node changed, switched on, or made and wired. */
export function withModel(graph: GraphDocument, entry: ModelEntry, catalog: Catalog): Edited {
  const kind = catalog.kinds.find((each) => each.out === 'model')
  if (kind === undefined) return { graph, notes: ['This server has no models.'], added: [] }
  const node = modelNodeOf(graph, catalog)
  if (node === undefined)
    return addNode(graph, { kind: kind.kind, config: configOf(entry), wire: true }, catalog)
  const config: JsonObject = switched(node.config, configOf(entry), kind.schema)
  const on = setParked(graph, [node.id], false, catalog).graph
  return setConfig(on, node.id, config, catalog)
}
