/** Edits that need to know where things stand on screen: drop a part, rest a drag, tidy, duplicate, delete. */
import type { XYPosition } from '@xyflow/react'
import type { Edited } from '#lib/graph/edit'
import { addNode, addNote, duplicateNodes, moveNodes, remove } from '#lib/graph/edit'
import { kindOf } from '#lib/graph/kinds'
import { layout } from '#lib/graph/layout'
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument } from '#lib/spec/graph'
import type { JsonObject } from '#lib/spec/json'
import { edgeId, type FlowNode, noteFlowId } from './flow'
import type { GraphStore } from './graph-store'

/** What the palette hands over: a kind with what a fresh node of it holds, or a note. */
export type Part =
  | { readonly note: true }
  | { readonly note?: false; readonly kind: string; readonly config?: JsonObject }

const dataType = 'application/x-loopwright-part'

export function carryPart(transfer: DataTransfer, part: Part): void {
  transfer.setData(dataType, JSON.stringify(part))
  transfer.effectAllowed = 'copy'
}

export function readPart(transfer: DataTransfer): Part | undefined {
  const text = transfer.getData(dataType)
  return text === '' ? undefined : (JSON.parse(text) as Part) // cast: only `carryPart` writes this type, and other pages cannot
}

/** Adds a part, chooses it, and gives its id on the canvas. Without `at` it finds a free place beside the agent. */
export function addPart({
  store,
  part,
  at,
  isWired,
}: {
  store: GraphStore
  part: Part
  at?: XYPosition
  isWired: boolean
}): string | undefined {
  const { nodes, catalog, edit, select } = store.getState()
  const place = snapped(at ?? freePlace(nodes, part, catalog))
  let added: readonly string[] = []
  edit((graph) => {
    const placed = moveTo(graph, nodes, new Set())
    const done = part.note
      ? addNote(placed.graph, { text: '', at: [place.x, place.y] })
      : addNode(placed.graph, { kind: part.kind, config: part.config, at: place, wire: isWired }, catalog)
    added = done.added
    return done.added.length === 0 ? { ...done, graph } : done
  })
  const [id] = added
  if (id === undefined) return undefined
  select(part.note ? { notes: [id] } : { nodes: [id] })
  return part.note ? noteFlowId(id) : id
}

/** Writes where the moved nodes came to rest; and, since a person now places things, where all others stand. */
export function moveTo(graph: GraphDocument, shown: readonly FlowNode[], moved: ReadonlySet<string>): Edited {
  const homeless = new Set(graph.nodes.flatMap((each) => (each.at === undefined ? [each.id] : [])))
  const moves = shown.flatMap((each) => {
    if (!moved.has(each.id) && !(each.type === 'card' && homeless.has(each.id))) return []
    return [{ id: each.type === 'note' ? each.data.note.id : each.id, at: each.position }]
  })
  return moveNodes(graph, moves)
}

export function tidy(store: GraphStore): void {
  const { nodes, edit } = store.getState()
  const sizes = new Map(
    nodes.flatMap(({ id, type, measured }) =>
      type === 'card' && measured?.width !== undefined && measured.height !== undefined
        ? [[id, { width: measured.width, height: measured.height }] as const]
        : [],
    ),
  )
  edit((graph, catalog) =>
    moveNodes(
      graph,
      [...layout(graph, catalog, sizes)].map(([id, at]) => ({ id, at })),
    ),
  )
}

export function deleteSelection(store: GraphStore): void {
  const { selection, edit } = store.getState()
  const wires = new Set(selection.edges)
  edit((graph, catalog) =>
    remove(
      graph,
      {
        nodes: selection.nodes,
        notes: selection.notes,
        edges: graph.edges.filter((each) => wires.has(edgeId(each))),
      },
      catalog,
    ),
  )
}

export function duplicateSelection(store: GraphStore): void {
  const { selection, edit, select } = store.getState()
  const ids = [...selection.nodes, ...selection.notes]
  if (ids.length === 0) return
  let added: readonly string[] = []
  edit((graph, catalog) => {
    const done = duplicateNodes(graph, ids, catalog)
    added = done.added
    return done
  })
  const { history } = store.getState()
  const made = new Set(added)
  select({
    nodes: history.present.nodes.flatMap((each) => (made.has(each.id) ? [each.id] : [])),
    notes: history.present.notes.flatMap((each) => (made.has(each.id) ? [each.id] : [])),
  })
}

/** Measures of the layout: columns 336 apart, policies in a row above the agent, tools in a column left of it with room for a strap. */
const column = 336
const cardRoom = { width: 216, height: 64 }
const mostTries = 200

function freePlace(nodes: readonly FlowNode[], part: Part, catalog: Catalog): XYPosition {
  const kindIn = (each: FlowNode) => (each.type === 'card' ? kindOf(catalog, each.data.node.kind) : undefined)
  const agent = nodes.find((each) => kindIn(each)?.place.at === 'root')?.position ?? { x: 0, y: 0 }
  // The first of its family goes under what already stands in the column.
  const isSource = (each: FlowNode) => {
    const kind = kindIn(each)
    const isOther = kind === undefined || kind.place.at === 'root' || kind.family === 'policy'
    return !isOther && each.position.x < agent.x
  }
  const family = part.note ? 'note' : kindOf(catalog, part.kind)?.family
  const step = family === 'policy' ? { x: 208, y: 0 } : { x: 0, y: 96 }
  const last =
    nodes.findLast((each) => (part.note ? each.type === 'note' : kindIn(each)?.family === family)) ??
    (part.note || family === 'policy' ? undefined : nodes.findLast(isSource))
  if (last !== undefined)
    return search(nodes, { x: last.position.x + step.x, y: last.position.y + step.y }, step)
  if (family === 'policy') return search(nodes, { x: agent.x, y: agent.y - 96 }, step)
  return search(nodes, { x: agent.x - (family === 'note' ? 2 : 1) * column, y: agent.y - 48 }, step)
}

function search(nodes: readonly FlowNode[], from: XYPosition, step: XYPosition): XYPosition {
  let at = from
  for (let tries = 0; tries < mostTries && nodes.some((each) => overlaps(each, at)); tries++)
    at = { x: at.x + step.x, y: at.y + step.y }
  return at
}

function overlaps({ position, measured }: FlowNode, at: XYPosition): boolean {
  const width = measured?.width ?? cardRoom.width
  const height = measured?.height ?? cardRoom.height
  return (
    at.x < position.x + width + 8 &&
    position.x < at.x + cardRoom.width &&
    at.y < position.y + height + 8 &&
    position.y < at.y + cardRoom.height
  )
}

function snapped({ x, y }: XYPosition): XYPosition {
  return { x: Math.round(x / 16) * 16, y: Math.round(y / 16) * 16 }
}
