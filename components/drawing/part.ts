/** Edits that need positions on screen: add a part, end a drag, delete, duplicate. */
import type { XYPosition } from '@xyflow/react'
import type { Edited } from '#lib/graph/edit'
import { addFrame, addNode, addNote, connect, duplicateNodes, moveNodes, remove } from '#lib/graph/edit'
import { type WireStart, wireTo } from '#lib/graph/fitting'
import { insertNew } from '#lib/graph/insert'
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument, GraphEdge } from '#lib/spec/graph'
import { chosenIds, drawnId } from './boxes'
import type { PalettePart } from './carried-part'
import { edgeId, type FlowNode, frameFlowId, noteFlowId } from './flow'
import { freePlace } from './free-place'
import type { GraphStore } from './graph-store'

const dataType = 'application/x-loopwright-part'
/** The part being dragged. During a drag, a page may not read the data that the drag carries. */
let inHand: PalettePart | undefined

export function carryPart(transfer: DataTransfer, part: PalettePart): void {
  inHand = part
  transfer.setData(dataType, JSON.stringify(part))
  transfer.effectAllowed = 'copy'
}

/** Ends the drag, wherever it was dropped. */
export function endCarry(): void {
  inHand = undefined
}

export function carriedPart(): PalettePart | undefined {
  return inHand
}

export function readPart(transfer: DataTransfer): PalettePart | undefined {
  const text = transfer.getData(dataType)
  return text === '' ? undefined : (JSON.parse(text) as PalettePart) // cast: only `carryPart` writes this type, and other pages cannot
}

export interface Adding {
  readonly store: GraphStore
  readonly part: PalettePart
  /** Default: a free position next to the agent. */
  readonly at?: XYPosition
  /** Wires it to the agent if no other wire is replaced by that. */
  readonly isWired?: boolean
  /** Inserts it into this wire. */
  readonly into?: GraphEdge
  /** Wires it to this port. */
  readonly from?: WireStart
}

export const frameSize: [number, number] = [352, 224]

/**
 * Adds a part as one entry of the history, selects it, and returns its id on the canvas; undefined when it
 * was refused.
 */
export function addPart({ store, part, at, ...how }: Adding): string | undefined {
  const { nodes, catalog, edit, select } = store.getState()
  // Rounded only where a person pointed: a free place is in line with the cards around it.
  const place = at === undefined ? freePlace(nodes, part, catalog) : roundPosition(at)
  let added: readonly string[] = []
  edit((graph) => {
    const placed = moveTo(graph, nodes, new Set())
    const done = newPart(placed.graph, { part, place, catalog, ...how })
    added = done.added
    return done.added.length === 0 ? { ...done, graph } : done
  })
  const [id] = added
  if (id === undefined) return undefined
  if (part.note) {
    select({ notes: [id] })
    return noteFlowId(id)
  }
  if (part.frame) {
    select({ frames: [id] })
    return frameFlowId(id)
  }
  select({ nodes: [id] })
  return id
}

interface Placing extends Omit<Adding, 'store' | 'at'> {
  readonly place: XYPosition
  readonly catalog: Catalog
}

function newPart(graph: GraphDocument, { part, place, catalog, isWired, into, from }: Placing): Edited {
  const at: [number, number] = [place.x, place.y]
  if (part.note) return addNote(graph, { text: '', at })
  if (part.frame) return addFrame(graph, { title: 'Frame', at, size: frameSize })
  const node = { kind: part.kind, config: part.config, at: place, wire: isWired === true }
  if (into !== undefined) return insertNew(graph, { wire: into, part: node }, catalog)
  const done = addNode(graph, node, catalog)
  const [id] = done.added
  const wire =
    from && id !== undefined ? wireTo(done.graph, catalog, { from, node: id, kind: part.kind }) : undefined
  if (wire === undefined) return done
  const wired = connect(done.graph, wire.from, wire.to, catalog)
  return { graph: wired.graph, notes: [...done.notes, ...wired.notes], added: done.added }
}

/**
 * Stores where the moved items (ids on the canvas) were dropped. Also stores the positions of all other
 * nodes, because a person now places things.
 */
export function moveTo(graph: GraphDocument, shown: readonly FlowNode[], moved: ReadonlySet<string>): Edited {
  const homeless = new Set(graph.nodes.flatMap((each) => (each.at === undefined ? [each.id] : [])))
  const moves = shown.flatMap((each) => {
    if (!moved.has(each.id) && !(each.type === 'card' && homeless.has(each.id))) return []
    return [{ id: drawnId(each), at: each.position }]
  })
  return moveNodes(graph, moves)
}

export function deleteSelection(store: GraphStore): void {
  const { selection, edit } = store.getState()
  const wires = new Set(selection.edges)
  const { nodes, notes, frames } = selection
  edit((graph, catalog) =>
    remove(
      graph,
      { nodes, notes, frames, edges: graph.edges.filter((each) => wires.has(edgeId(each))) },
      catalog,
    ),
  )
}

export function duplicateSelection(store: GraphStore): void {
  const { selection, edit, nodes } = store.getState()
  const ids = chosenIds(selection)
  if (ids.length === 0) return
  let added: readonly string[] = []
  edit((graph, catalog) => {
    const done = duplicateNodes(moveTo(graph, nodes, new Set()).graph, ids, catalog)
    added = done.added
    return added.length === 0 ? { ...done, graph } : done
  })
  if (added.length > 0) selectDrawn(store, added)
}

/** Selects items by their ids in the drawing, whether nodes, notes or frames. */
export function selectDrawn(store: GraphStore, ids: readonly string[]): void {
  const { history, select } = store.getState()
  const { nodes, notes, look } = history.present
  const made = new Set(ids)
  const those = (list: readonly { readonly id: string }[]) =>
    list.flatMap((each) => (made.has(each.id) ? [each.id] : []))
  select({ nodes: those(nodes), notes: those(notes), frames: those(look.frames) })
}

export function roundPosition({ x, y }: XYPosition): XYPosition {
  return { x: Math.round(x / 16) * 16, y: Math.round(y / 16) * 16 }
}
