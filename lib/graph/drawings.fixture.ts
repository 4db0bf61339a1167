/** For tests: drawings of a few nodes; the ports of each wire are found in the catalog. */
import type { GraphDocument, GraphEdge, GraphNode } from '#lib/spec/graph'
import type { JsonObject } from '#lib/spec/json'
import { catalog } from './catalog.fixture'
import { portsBetween } from './kinds'

type Wire = [from: string, to: string]

export function node(id: string, kind: string, config: JsonObject = {}): GraphNode {
  return { id, kind, config }
}

export function drawing(nodes: GraphNode[], wires: Wire[] = [], parked: string[] = []): GraphDocument {
  const kinds = new Map(nodes.map((each) => [each.id, each.kind]))
  const edges = wires.map(([from, to]): GraphEdge => {
    const ports = portsBetween(catalog, kinds.get(from) ?? '', kinds.get(to) ?? '') ?? { from: 'x', to: 'y' }
    return { from: { node: from, port: ports.from }, to: { node: to, port: ports.to } }
  })
  return { version: 1, nodes, edges, notes: [], parked, look: { frames: [] } }
}
