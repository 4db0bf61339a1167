/** Edits that need positions on screen: add a part, end a drag, delete, duplicate. */
import type { XYPosition } from '@xyflow/react'
import type { Edited } from '#lib/graph/edit'
import { addFrame, addNode, addNote, connect, duplicateNodes, moveNodes, remove } from '#lib/graph/edit'
import { type WireStart, wireBetween, wireTo } from '#lib/graph/fitting'
import { insertNew } from '#lib/graph/insert'
import { isAgent, kindOf } from '#lib/graph/kinds'
import { denyTools, rulePolicies, setToolRule, type ToolRule } from '#lib/graph/tool-rules'
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument, GraphEdge } from '#lib/spec/graph'
import { boxOf, chosenIds, drawnId } from './boxes'
import type { PalettePart } from './carried-part'
import { edgeId, type FlowNode, frameFlowId, noteFlowId } from './flow'
import { cardAt, freePlace, freeShift, placeBeside } from './free-place'
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
  /** Default: where its kind belongs. A card there moves the part to the nearest free place. */
  readonly at?: XYPosition
  /** The card it was dropped on: it is wired to that node if it can be. */
  readonly onto?: string | undefined
  /** Inserts it into this wire. */
  readonly into?: GraphEdge | undefined
  /** Wires it to this port. */
  readonly from?: WireStart
}

export const frameSize: [number, number] = [352, 224]

/**
 * Adds a part as one entry of the history, wired as far as it can be: to the port or card that was meant, or
 * else to the agent, if no other wire is replaced by that. Selects it and returns its id on the canvas;
 * undefined when it was refused.
 */
export function addPart({ store, part, ...how }: Adding): string | undefined {
  const { nodes, catalog, history, edit, select } = store.getState()
  const wire = wirePlan(history.present, catalog, { part, ...how })
  const place = placeOf(nodes, catalog, { part, wire, ...how })
  let added: readonly string[] = []
  edit((graph) => {
    const placed = moveTo(graph, nodes, new Set())
    const done = newPart(placed.graph, { part, place, catalog, into: how.into, wire })
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

type Wish = Omit<Adding, 'store'>

/** Stands for the new node in a wire that is planned before the node has an id. */
const freshId = ''

/** Where the part will be wired: a wire to the node that was meant, `agent` when none was, or nothing. */
type WirePlan = GraphEdge | 'agent' | undefined

function wirePlan(graph: GraphDocument, catalog: Catalog, { part, onto, into, from }: Wish): WirePlan {
  if (part.note || part.frame || into !== undefined) return undefined
  const { kind } = part
  if (from !== undefined) return wireTo(graph, catalog, { from, node: freshId, kind })
  if (onto === undefined) return 'agent'
  return wireBetween(graph, catalog, { known: onto, node: freshId, kind }) ?? 'agent'
}

function placeOf(
  nodes: readonly FlowNode[],
  catalog: Catalog,
  { part, at, onto, wire }: Wish & { wire: WirePlan },
): XYPosition {
  const isMeant = at !== undefined && onto === undefined
  // Rounded only where a person pointed: a free place is in line with the cards around it.
  const wished = isMeant ? roundPosition(at) : besideTool(nodes, catalog, wire)
  if (part.frame && wished !== undefined) return wished
  return freeNear(nodes, wished) ?? freePlace(nodes, part, catalog)
}

/** The nearest free place to a position, if there is one near. */
function freeNear(nodes: readonly FlowNode[], wished: XYPosition | undefined): XYPosition | undefined {
  if (wished === undefined) return undefined
  const by = freeShift(nodes, [cardAt(wished)])
  return by && { x: wished.x + by.x, y: wished.y + by.y }
}

/** A policy over one tool belongs beside that tool; every other part has a column or row of its own. */
function besideTool(nodes: readonly FlowNode[], catalog: Catalog, wire: WirePlan): XYPosition | undefined {
  if (wire === undefined || wire === 'agent' || wire.from.node !== freshId) return undefined
  if (wire.from.port !== 'policy') return undefined
  const target = nodes.find((each) => each.id === wire.to.node)
  const isEntry = target?.type === 'card' && !isAgent(kindOf(catalog, target.data.node.kind))
  return isEntry ? placeBeside(nodes, target.id) : undefined
}

interface Placing {
  readonly part: PalettePart
  readonly place: XYPosition
  readonly catalog: Catalog
  readonly into: GraphEdge | undefined
  readonly wire: WirePlan
}

function newPart(graph: GraphDocument, { part, place, catalog, into, wire }: Placing): Edited {
  const at: [number, number] = [place.x, place.y]
  if (part.note) return addNote(graph, { text: '', at })
  if (part.frame) return addFrame(graph, { title: 'Frame', at, size: frameSize })
  const node = { kind: part.kind, config: part.config, at: place, wire: wire === 'agent' }
  if (into !== undefined) return insertNew(graph, { wire: into, part: node }, catalog)
  const done = addNode(graph, node, catalog)
  const [id] = done.added
  if (wire === undefined || wire === 'agent' || id === undefined) return done
  const end = (known: GraphEdge['from']) => (known.node === freshId ? { ...known, node: id } : known)
  const wired = connect(done.graph, end(wire.from), end(wire.to), catalog)
  return { graph: wired.graph, notes: [...done.notes, ...wired.notes], added: done.added }
}

/** Sets a usual rule on a tool as one entry of the history; the tool stays selected. */
export function addToolRule(store: GraphStore, { rule, entry }: { rule: ToolRule; entry: string }): void {
  const { nodes } = store.getState()
  const beside = rule === 'never' ? undefined : placeBeside(nodes, entry)
  addRule(store, { rule, beside }, (graph, at, catalog) => setToolRule(graph, { rule, entry, at }, catalog))
}

/** Denies one tool and leaves the other tools of its entry allowed. One undo takes it back. */
export function denyTool(store: GraphStore, tool: string): void {
  addRule(store, { rule: 'never', beside: undefined }, (graph, at, catalog) =>
    denyTools(graph, { tools: [tool], at }, catalog),
  )
}

function addRule(
  store: GraphStore,
  { rule, beside }: { rule: ToolRule; beside: XYPosition | undefined },
  set: (graph: GraphDocument, at: XYPosition, catalog: Catalog) => Edited,
): void {
  const { nodes, catalog, edit } = store.getState()
  const at = freeNear(nodes, beside) ?? freePlace(nodes, { kind: rulePolicies[rule] }, catalog)
  edit((graph) => {
    const placed = moveTo(graph, nodes, new Set()).graph
    const done = set(placed, at, catalog)
    return done.graph === placed ? { ...done, graph } : done
  })
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
  const boxes = nodes.filter((each) => each.selected).map(boxOf)
  const by = freeShift(nodes, boxes) ?? { x: 32, y: 32 }
  let added: readonly string[] = []
  edit((graph, catalog) => {
    const done = duplicateNodes(moveTo(graph, nodes, new Set()).graph, ids, { by, catalog })
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
