/** What a node can be wired to and which of its wires can be removed, as choices in words. Pure. */
import { describeNode } from '#components/drawing/describe'
import { kindsFit } from '#lib/graph/connect'
import { connect, disconnect, type Edited } from '#lib/graph/edit'
import { isAgent, kindOf, portsBetween } from '#lib/graph/kinds'
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument, GraphEdge, GraphNode } from '#lib/spec/graph'

export interface WireChoice {
  readonly label: string
  readonly isWired: boolean
  apply(graph: GraphDocument, catalog: Catalog): Edited
}

/** New wires first, then existing ones, in the order of the drawing. */
export function wireChoices(graph: GraphDocument, catalog: Catalog, id: string): WireChoice[] {
  const node = graph.nodes.find((each) => each.id === id)
  if (node === undefined) return []
  const joined = new Set(
    graph.edges.flatMap(({ from, to }) => (from.node === id ? [to.node] : to.node === id ? [from.node] : [])),
  )
  const fitting = graph.nodes.flatMap((other): WireChoice[] => {
    if (other === node || joined.has(other.id)) return []
    const wire = wireOf(catalog, node, other) ?? wireOf(catalog, other, node)
    if (wire === undefined) return []
    const word = wire.from.node === id ? 'Connect to' : 'Connect from'
    return [
      {
        label: `${word} ${nameOf(other, catalog)}`,
        isWired: false,
        apply: (drawn, parts) => connect(drawn, wire.from, wire.to, parts),
      },
    ]
  })
  const byId = new Map(graph.nodes.map((each) => [each.id, each]))
  const standing = graph.edges.flatMap((edge): WireChoice[] => {
    if (edge.from.node !== id && edge.to.node !== id) return []
    const other = byId.get(edge.from.node === id ? edge.to.node : edge.from.node)
    if (other === undefined) return []
    const word = edge.from.node === id ? 'to' : 'from'
    return [
      {
        label: `Remove the wire ${word} ${nameOf(other, catalog)}`,
        isWired: true,
        apply: (drawn, parts) => disconnect(drawn, [edge], parts),
      },
    ]
  })
  return [...fitting, ...standing]
}

function wireOf(catalog: Catalog, from: GraphNode, to: GraphNode): GraphEdge | undefined {
  const ports = portsBetween(catalog, from.kind, to.kind)
  const fits = ports && kindsFit(catalog, { source: from, target: to, ...ports }).ok
  return fits ? { from: { node: from.id, port: ports.from }, to: { node: to.id, port: ports.to } } : undefined
}

function nameOf(node: GraphNode, catalog: Catalog): string {
  return isAgent(kindOf(catalog, node.kind)) ? 'the agent' : describeNode(node, catalog).title
}
