/** Reads a graph once for checks, compile and edits: what is live, what is parked, and every path. */
import type { Catalog } from '#lib/spec/catalog'
import type { Diagnostic } from '#lib/spec/errors'
import type { GraphDocument, GraphEdge, GraphNode } from '#lib/spec/graph'
import type { NodeKind } from '#lib/spec/kind'
import { addTo } from '#lib/spec/lists'
import { isAgent, kindOf, listKeys, nameOf, objectKeys, portsBetween } from './kinds'
import { type Scopes, scopesOfNodes } from './scope'

export interface ParkedNode {
  readonly node: GraphNode
  readonly why: 'unwired' | 'disabled'
}

export interface Drawing {
  readonly graph: GraphDocument
  readonly catalog: Catalog
  readonly byId: ReadonlyMap<string, GraphNode>
  readonly agents: readonly GraphNode[]
  /** Ids of the nodes that are part of the agent, the agent itself included. */
  readonly live: ReadonlySet<string>
  /** Live nodes by the config key of their object; more than one is an error. */
  readonly objects: ReadonlyMap<string, readonly GraphNode[]>
  /** Live nodes by the config key of their list, in order. */
  readonly lists: ReadonlyMap<string, readonly GraphNode[]>
  readonly parked: readonly ParkedNode[]
  /** Wires between existing nodes and fitting ports, each once. */
  readonly wires: readonly GraphEdge[]
  readonly wiresFrom: ReadonlyMap<string, readonly GraphEdge[]>
  /** Node id → path in the config. */
  readonly paths: ReadonlyMap<string, string>
  /** Live entries that a scoped policy may be wired to, with the index of each in `scopes`. */
  readonly toolEntries: readonly GraphNode[]
  readonly toolIndex: ReadonlyMap<GraphNode, number>
  readonly scopes: Scopes
  /** Diagnostics about ids and wires. */
  readonly faults: readonly Diagnostic[]
}

export function readDrawing(graph: GraphDocument, catalog: Catalog): Drawing {
  const faults: Diagnostic[] = []
  const byId = nodesById(graph, faults)
  const wires = fittingWires(graph, { byId, catalog, faults })
  const agents = [...byId.values()].filter((node) => isAgent(kindOf(catalog, node.kind)))
  const off = new Set(graph.parked)
  const live = liveNodes(agents[0], wires, off)
  const nodes = [...byId.values()]
  const isLive = (node: GraphNode) => live.has(node.id)
  const objects = byKey(nodes.filter(isLive), objectKeys(catalog), catalog)
  const lists = byKey(nodes.filter(isLive), listKeys(catalog), catalog)
  const parked = nodes
    .filter((node) => !isLive(node) && !isAgent(kindOf(catalog, node.kind)))
    .map((node): ParkedNode => ({ node, why: off.has(node.id) ? 'disabled' : 'unwired' }))
  const toolEntries = [...lists.values()]
    .flat()
    .filter((node) => kindOf(catalog, node.kind)?.scope !== undefined)
  return {
    graph,
    catalog,
    byId,
    agents,
    live,
    objects,
    lists,
    parked,
    wires,
    wiresFrom: groupByEnd(wires, 'from'),
    paths: pathsOf(agents[0], { objects, lists, parked }),
    toolEntries,
    toolIndex: new Map(toolEntries.map((node, index) => [node, index])),
    scopes: scopesOfNodes(toolEntries, catalog),
    faults,
  }
}

/** The live targets of a node's wires: whether the agent is one, and the entries. */
export function targetsOf(drawing: Drawing, id: string): { agent: boolean; entries: GraphNode[] } {
  const entries: GraphNode[] = []
  let agent = false
  for (const wire of drawing.wiresFrom.get(id) ?? []) {
    const target = drawing.byId.get(wire.to.node)
    if (target === undefined || !drawing.live.has(target.id)) continue
    if (target === drawing.agents[0]) agent = true
    else entries.push(target)
  }
  return { agent, entries }
}

/** Path → node id, in the order of the config. */
export function originsOf(drawing: Drawing): Record<string, string> {
  return Object.fromEntries([...drawing.paths].map(([id, path]) => [path, id]))
}

export function edgeKey({ from, to }: GraphEdge): string {
  // The lengths keep different keys apart, since an id may hold any character.
  return `${from.node.length} ${from.port.length} ${to.node.length} ${from.node} ${from.port} ${to.node} ${to.port}`
}

function nodesById(graph: GraphDocument, faults: Diagnostic[]): Map<string, GraphNode> {
  const byId = new Map<string, GraphNode>()
  for (const node of graph.nodes) {
    if (!byId.has(node.id)) byId.set(node.id, node)
    else {
      const message = `Two nodes have the id “${node.id}”. Delete one of them and draw it again.`
      faults.push({ severity: 'error', code: 'id_twice', message, node: node.id })
    }
  }
  return byId
}

interface WireContext {
  readonly byId: ReadonlyMap<string, GraphNode>
  readonly catalog: Catalog
  readonly faults: Diagnostic[]
}

function fittingWires(graph: GraphDocument, { byId, catalog, faults }: WireContext): GraphEdge[] {
  const wires = new Map<string, GraphEdge>()
  for (const edge of graph.edges) {
    const from = byId.get(edge.from.node)
    const to = byId.get(edge.to.node)
    if (from === undefined || to === undefined) {
      const gone = from === undefined ? edge.from.node : edge.to.node
      const message = `A wire ends at “${gone}”, which is not a node of this drawing. Remove the wire.`
      faults.push({ severity: 'error', code: 'wire_loose', message })
      continue
    }
    const ports = portsBetween(catalog, from.kind, to.kind)
    if (ports === undefined || ports.from !== edge.from.port || ports.to !== edge.to.port || from === to) {
      const message = `The wire from ${nameOf(catalog, from)} to ${nameOf(catalog, to)} joins ports that do not fit. Take it away.`
      faults.push({ severity: 'error', code: 'wire_misfit', message, node: from.id })
      continue
    }
    wires.set(edgeKey(edge), edge)
  }
  return [...wires.values()]
}

/** Follows wires backwards from the agent, and forwards along its own. Nodes switched off carry nothing. */
function liveNodes(
  agent: GraphNode | undefined,
  wires: readonly GraphEdge[],
  off: ReadonlySet<string>,
): Set<string> {
  const live = new Set<string>()
  if (agent === undefined) return live
  const wiresTo = groupByEnd(wires, 'to')
  live.add(agent.id)
  // A set that grows during iteration is walked to its new end.
  for (const id of live) {
    for (const { from } of wiresTo.get(id) ?? []) if (!off.has(from.node)) live.add(from.node)
  }
  for (const { from, to } of wires) if (from.node === agent.id && !off.has(to.node)) live.add(to.node)
  return live
}

function byKey(
  nodes: readonly GraphNode[],
  keys: readonly string[],
  catalog: Catalog,
): Map<string, GraphNode[]> {
  const result = new Map<string, GraphNode[]>(keys.map((key) => [key, []]))
  for (const node of nodes) {
    const key = keyOf(kindOf(catalog, node.kind))
    if (key !== undefined) result.get(key)?.push(node)
  }
  return result
}

function keyOf(kind: NodeKind | undefined): string | undefined {
  return kind === undefined || kind.place.at === 'root' ? undefined : kind.place.key
}

function pathsOf(
  agent: GraphNode | undefined,
  { objects, lists, parked }: Pick<Drawing, 'objects' | 'lists' | 'parked'>,
): Map<string, string> {
  const paths = new Map<string, string>()
  if (agent !== undefined) paths.set(agent.id, 'agent')
  for (const [key, [first]] of objects) if (first !== undefined) paths.set(first.id, key)
  for (const [key, nodes] of lists) {
    for (const [index, node] of nodes.entries()) paths.set(node.id, `${key}/${index}`)
  }
  for (const [index, { node }] of parked.entries()) paths.set(node.id, `parked/${index}`)
  return paths
}

function groupByEnd(wires: readonly GraphEdge[], end: 'from' | 'to'): Map<string, GraphEdge[]> {
  const result = new Map<string, GraphEdge[]>()
  for (const wire of wires) {
    addTo(result, wire[end].node, wire)
  }
  return result
}
