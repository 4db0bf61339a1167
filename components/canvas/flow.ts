/** From the graph to what the canvas library draws. A node, edge or note that did not change stays the same object. */
import type { Edge, Node, XYPosition } from '@xyflow/react'
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument, GraphEdge, GraphNode, GraphNote } from '#lib/spec/graph'
import type { Family } from '#lib/spec/kind'

export type CardNode = Node<{ node: GraphNode }, 'card'>
export type NoteNode = Node<{ note: GraphNote }, 'note'>
export type FlowNode = CardNode | NoteNode
export type FlowEdge = Edge<{ family: Family; off: boolean }, 'wire'>

const notePrefix = 'note:'
/** Notes have ids of their own; on the canvas they must not meet those of nodes. */
export const noteFlowId = (id: string) => notePrefix + id

export interface FlowInput {
  readonly graph: GraphDocument
  readonly catalog: Catalog
  /** Where nodes stand that have no place of their own yet. */
  readonly places: ReadonlyMap<string, XYPosition>
}

export function flowNodes(previous: readonly FlowNode[], { graph, places }: FlowInput): FlowNode[] {
  const known = new Map(previous.map((each) => [each.id, each]))
  const cards = graph.nodes.map(
    (node): FlowNode => card(known.get(node.id), node, node.at ?? places.get(node.id) ?? { x: 0, y: 0 }),
  )
  const notes = graph.notes.map((each): FlowNode => noteCard(known.get(noteFlowId(each.id)), each))
  return [...cards, ...notes]
}

function card(known: FlowNode | undefined, node: GraphNode, position: XYPosition): CardNode {
  if (known?.type !== 'card') return { id: node.id, type: 'card', position, data: { node } }
  const moved = known.position.x !== position.x || known.position.y !== position.y
  if (known.data.node === node && !moved) return known
  return { ...known, position: moved ? position : known.position, data: { node } }
}

function noteCard(known: FlowNode | undefined, graphNote: GraphNote): NoteNode {
  const [x, y] = graphNote.at
  if (known?.type !== 'note')
    return { id: noteFlowId(graphNote.id), type: 'note', position: { x, y }, data: { note: graphNote } }
  if (known.data.note === graphNote && known.position.x === x && known.position.y === y) return known
  return { ...known, position: { x, y }, data: { note: graphNote } }
}

export function edgeId({ from, to }: GraphEdge): string {
  return `${from.node}:${from.port}>${to.node}:${to.port}`
}

export function flowEdges(previous: readonly FlowEdge[], { graph, catalog }: FlowInput): FlowEdge[] {
  const known = new Map(previous.map((each) => [each.id, each]))
  const families = new Map(catalog.kinds.map((each) => [each.kind, each.family]))
  const kinds = new Map(graph.nodes.map((each) => [each.id, each.kind]))
  const parked = new Set(graph.parked)
  return graph.edges.map((edge) => {
    const id = edgeId(edge)
    const family = families.get(kinds.get(edge.from.node) ?? '') ?? 'note'
    const off = parked.has(edge.from.node) || parked.has(edge.to.node)
    const same = known.get(id)
    if (same?.data?.family === family && same.data.off === off) return same
    return {
      ...same,
      id,
      type: 'wire',
      source: edge.from.node,
      sourceHandle: edge.from.port,
      target: edge.to.node,
      targetHandle: edge.to.port,
      data: { family, off },
    }
  })
}

/** Both ends of every wire as `node:port`, for ports to know whether they are filled. */
export function wiredPorts(graph: GraphDocument): ReadonlySet<string> {
  const wired = new Set<string>()
  for (const { from, to } of graph.edges) {
    wired.add(portKey(from.node, from.port))
    wired.add(portKey(to.node, to.port))
  }
  return wired
}

export function wiredNodes(graph: GraphDocument): ReadonlySet<string> {
  return new Set(graph.edges.flatMap(({ from, to }) => [from.node, to.node]))
}

/** Nodes with a wire straight into the agent. */
export function intoAgent(graph: GraphDocument, catalog: Catalog): ReadonlySet<string> {
  const roots = new Set(catalog.kinds.filter((each) => each.place.at === 'root').map((each) => each.kind))
  const agents = new Set(graph.nodes.flatMap((each) => (roots.has(each.kind) ? [each.id] : [])))
  return new Set(graph.edges.flatMap(({ from, to }) => (agents.has(to.node) ? [from.node] : [])))
}

export const portKey = (node: string, port: string) => `${node}:${port}`
