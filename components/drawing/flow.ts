/**
 * Converts the graph to the objects of the canvas library. A node, edge or note that did not change keeps the
 * same object.
 */
import type { Edge, Node, XYPosition } from '@xyflow/react'
import { kindOf } from '#lib/graph/kinds'
import { cardSize } from '#lib/graph/layout'
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument, GraphEdge, GraphFrame, GraphNode, GraphNote } from '#lib/spec/graph'
import type { Family } from '#lib/spec/kind'
import { groupOfWire, isCovering } from './card-facts'
import { type KnownFace, knownFace } from './known-face'

/** With a face, only this much of a card is rendered: its tile and name, or the colour of its tile. */
export type CardNode = Node<{ node: GraphNode; face?: 'named' | 'bare' }, 'card'>
export type NoteNode = Node<{ note: GraphNote }, 'note'>
export type FrameNode = Node<{ frame: GraphFrame }, 'frame'>
export type FlowNode = CardNode | NoteNode | FrameNode
export type FlowEdge = Edge<
  {
    family: Family
    off: boolean
    /**
     * The group that decides whether the tools of this wire are offered, and whether it starts switched off.
     */
    group?: string
    groupOff?: boolean
  },
  'wire'
>

const notePrefix = 'note:'
/** Notes have their own ids; a prefix keeps them distinct from node ids on the canvas. */
export const noteFlowId = (id: string) => notePrefix + id
export const frameFlowId = (id: string) => `frame:${id}`
/** Behind everything else, even when selected: the library raises selected items by a thousand. */
const behind = -2_000

export interface FlowInput {
  readonly graph: GraphDocument
  readonly catalog: Catalog
  /** Positions for the nodes that have none of their own. */
  readonly places: ReadonlyMap<string, XYPosition>
}

export function flowNodes(previous: readonly FlowNode[], { graph, catalog, places }: FlowInput): FlowNode[] {
  const known = new Map(previous.map((each) => [each.id, each]))
  const isAbove = isCovering(graph, catalog)
  const cards = graph.nodes.map((node): FlowNode => {
    const position = node.at ?? places.get(node.id) ?? { x: 0, y: 0 }
    const face = knownFace(node, kindOf(catalog, node.kind), { isAbove: isAbove(node), catalog })
    const same = known.get(node.id)
    return same?.type === 'card'
      ? card(same, { node, position, face })
      : newCard({ node, position, face }, { graph, catalog })
  })
  const notes = graph.notes.map((each): FlowNode => noteCard(known.get(noteFlowId(each.id)), each))
  const frames = graph.look.frames.map((each): FlowNode => frameCard(known.get(frameFlowId(each.id)), each))
  return [...cards, ...notes, ...frames]
}

interface Drawn {
  readonly node: GraphNode
  readonly position: XYPosition
  readonly face: KnownFace | undefined
}

/** With the size it will have, so that the view can be fitted to cards that are not measured yet. */
function newCard(
  { node, position, face }: Drawn,
  { graph, catalog }: Pick<FlowInput, 'graph' | 'catalog'>,
): CardNode {
  const { width, height } = face?.measured ?? cardSize(node, graph.edges, catalog)
  return {
    id: node.id,
    type: 'card',
    position,
    data: { node },
    initialWidth: width,
    initialHeight: height,
    ...face,
  }
}

/** Its ports move when a policy is wired to the agent or to a tool. */
function card(known: CardNode, { node, position, face }: Drawn): CardNode {
  const moved = known.position.x !== position.x || known.position.y !== position.y
  const isSamePorts = face === undefined || known.handles === face.handles
  if (known.data.node === node && !moved && isSamePorts) return known
  return {
    ...known,
    position: moved ? position : known.position,
    data: { node },
    ...(!isSamePorts && { handles: face.handles }),
  }
}

function noteCard(known: FlowNode | undefined, note: GraphNote): NoteNode {
  const [x, y] = note.at
  const same = known?.type === 'note' ? known : undefined
  if (same?.data.note === note && same.position.x === x && same.position.y === y) return same
  const { width: _, height: __, ...rest } = same ?? { id: noteFlowId(note.id), type: 'note' as const }
  const size = note.size === undefined ? {} : { width: note.size[0], height: note.size[1] }
  return { ...rest, ...size, position: { x, y }, data: { note } }
}

/**
 * Only its title and its edge react to the pointer, so that its contents and the canvas below can be reached.
 */
const passesPointer = { pointerEvents: 'none' } as const

function frameCard(known: FlowNode | undefined, frame: GraphFrame): FrameNode {
  const [x, y] = frame.at
  const [width, height] = frame.size
  const same = known?.type === 'frame' ? known : undefined
  const isThere = same?.position.x === x && same.position.y === y
  if (same?.data.frame === frame && isThere && same.width === width && same.height === height) return same
  const rest = same ?? {
    id: frameFlowId(frame.id),
    type: 'frame' as const,
    zIndex: behind,
    style: passesPointer,
  }
  return { ...rest, width, height, position: { x, y }, data: { frame } }
}

export function edgeId({ from, to }: GraphEdge): string {
  return `${from.node}:${from.port}>${to.node}:${to.port}`
}

export function flowEdges(previous: readonly FlowEdge[], { graph, catalog }: FlowInput): FlowEdge[] {
  const known = new Map(previous.map((each) => [each.id, each]))
  const families = new Map(catalog.kinds.map((each) => [each.kind, each.family]))
  const kinds = new Map(graph.nodes.map((each) => [each.id, each.kind]))
  const parked = new Set(graph.parked)
  const groupOf = groupOfWire(graph, catalog)
  return graph.edges.map((edge) => {
    const id = edgeId(edge)
    const family = families.get(kinds.get(edge.from.node) ?? '') ?? 'note'
    const off = parked.has(edge.from.node) || parked.has(edge.to.node)
    const group = groupOf(edge.from.node, edge.to.node)
    const same = known.get(id)
    if (
      same?.data?.family === family &&
      same.data.off === off &&
      same.data.group === group?.name &&
      same.data.groupOff === (group && !group.isActive)
    )
      return same
    return {
      ...same,
      id,
      type: 'wire',
      source: edge.from.node,
      sourceHandle: edge.from.port,
      target: edge.to.node,
      targetHandle: edge.to.port,
      data: { family, off, ...(group && { group: group.name, groupOff: !group.isActive }) },
    }
  })
}

export function wiredNodes(graph: GraphDocument): ReadonlySet<string> {
  return new Set(graph.edges.flatMap(({ from, to }) => [from.node, to.node]))
}

export const portKey = (node: string, port: string) => `${node}:${port}`
