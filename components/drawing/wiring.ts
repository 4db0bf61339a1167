/** A wire while it is being drawn: its start, and every port where it could end. */
import { fits, kindsFit } from '#lib/graph/connect'
import { kindOf } from '#lib/graph/kinds'
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument, GraphEdge } from '#lib/spec/graph'
import { portKey } from './flow'

export interface PortRef {
  readonly node: string
  readonly port: string
}

export interface Wiring extends PortRef {
  readonly end: 'source' | 'target'
  /** Nodes with a matching port, and the node it started from; all others dim. */
  readonly nodes: ReadonlySet<string>
  /** Matching ports as `node:port`. */
  readonly ports: ReadonlySet<string>
}

/** Computed once when the wire is picked up, so that moving the pointer costs nothing. */
export function startWiring(input: {
  graph: GraphDocument
  catalog: Catalog
  from: PortRef
  end: 'source' | 'target'
}): Wiring {
  const { graph, catalog, from, end } = input
  const nodes = new Set([from.node])
  const ports = new Set<string>()
  const known = graph.nodes.find((each) => each.id === from.node)
  if (known === undefined) return { ...from, end, nodes, ports }
  const wired = wiredTo(graph, from, end)
  for (const node of graph.nodes) {
    if (node.id === from.node) continue
    const kind = kindOf(catalog, node.kind)
    const candidates =
      end === 'source' ? (kind?.in.map((each) => each.name) ?? []) : kind?.out === undefined ? [] : [kind.out]
    for (const port of candidates) {
      const key = portKey(node.id, port)
      const [source, target] = end === 'source' ? [known, node] : [node, known]
      const ends = end === 'source' ? { from: from.port, to: port } : { from: port, to: from.port }
      if (!kindsFit(catalog, { source, target, ...ends, isWired: wired.has(key) }).ok) continue
      nodes.add(node.id)
      ports.add(key)
    }
  }
  return { ...from, end, nodes, ports }
}

/** The other ends of a port's wires. */
function wiredTo(graph: GraphDocument, { node, port }: PortRef, end: 'source' | 'target'): Set<string> {
  return new Set(
    graph.edges.flatMap(({ from, to }) => {
      const [here, there] = end === 'source' ? [from, to] : [to, from]
      return here.node === node && here.port === port ? [portKey(there.node, there.port)] : []
    }),
  )
}

/** The wire meant by a drop on a node rather than on one of its ports: it uses the first matching port. */
export function wireInto(wiring: Wiring, node: string): GraphEdge | undefined {
  const prefix = portKey(node, '')
  const key = [...wiring.ports].find((each) => each.startsWith(prefix))
  if (key === undefined) return undefined
  const there = { node, port: key.slice(prefix.length) }
  const here = { node: wiring.node, port: wiring.port }
  return wiring.end === 'source' ? { from: here, to: there } : { from: there, to: here }
}

/** Why a wire cannot be dropped on a node, in one line. */
export function wireRefusal(input: {
  graph: GraphDocument
  catalog: Catalog
  wiring: Wiring
  node: string
  port?: string
}): string {
  const { graph, catalog, wiring, node, port } = input
  if (node === wiring.node) return 'A part cannot be wired to itself.'
  const kind = kindOf(catalog, graph.nodes.find((each) => each.id === node)?.kind ?? '')
  const there = {
    node,
    port: port ?? (wiring.end === 'source' ? (kind?.in[0]?.name ?? '') : (kind?.out ?? '')),
  }
  const here = { node: wiring.node, port: wiring.port }
  const answer =
    wiring.end === 'source' ? fits(graph, catalog, here, there) : fits(graph, catalog, there, here)
  return answer.ok ? 'Drop the wire on the port itself.' : answer.reason
}
