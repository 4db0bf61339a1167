/** Finds the kinds that fit the loose end of a wire, and the wire that joins a new part with a node. */
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument, GraphEdge } from '#lib/spec/graph'
import type { NodeKind } from '#lib/spec/kind'
import { kindsFit } from './connect'
import { isAgent, kindOf, outPort, portsBetween } from './kinds'

/** A port, and whether wires begin or end there. */
export interface WireStart {
  readonly node: string
  readonly port: string
  readonly end: 'source' | 'target'
}

/** Kinds whose new nodes can be wired to this port, in the catalog's order. */
export function kindsThatFit(graph: GraphDocument, catalog: Catalog, from: WireStart): NodeKind[] {
  const hasAgent = graph.nodes.some((each) => isAgent(kindOf(catalog, each.kind)))
  return catalog.kinds.filter(
    (kind) =>
      !(hasAgent && isAgent(kind)) &&
      wireTo(graph, catalog, { from, node: '', kind: kind.kind }) !== undefined,
  )
}

/** The wire between a port and a node that does not exist yet or is unwired; undefined when none fits. */
export function wireTo(
  graph: GraphDocument,
  catalog: Catalog,
  { from, node, kind }: { from: WireStart; node: string; kind: string },
): GraphEdge | undefined {
  const known = graph.nodes.find((each) => each.id === from.node)
  if (known === undefined) return undefined
  const fresh = { kind, config: {} }
  const here = { node: from.node, port: from.port }
  if (from.end === 'target') {
    const out = outPort(catalog, kind)
    const fits =
      out !== undefined && kindsFit(catalog, { source: fresh, target: known, from: out, to: from.port }).ok
    return fits ? { from: { node, port: out }, to: here } : undefined
  }
  const port = kindOf(catalog, kind)?.in.find(
    ({ name }) => kindsFit(catalog, { source: known, target: fresh, from: from.port, to: name }).ok,
  )
  return port && { from: here, to: { node, port: port.name } }
}

/** The wire between two nodes, in whichever direction fits; the second may be new. Undefined when none fits. */
export function wireBetween(
  graph: GraphDocument,
  catalog: Catalog,
  { known, node, kind }: { known: string; node: string; kind: string },
): GraphEdge | undefined {
  const other = graph.nodes.find((each) => each.id === known)
  if (other === undefined) return undefined
  const into = portsBetween(catalog, kind, other.kind)
  const inward =
    into && wireTo(graph, catalog, { from: { node: known, port: into.to, end: 'target' }, node, kind })
  if (inward !== undefined) return inward
  const out = portsBetween(catalog, other.kind, kind)
  return out && wireTo(graph, catalog, { from: { node: known, port: out.from, end: 'source' }, node, kind })
}
