/**
 * Applies a new layout as one entry of the history. Frames, and the notes in them, follow the cards they
 * contain.
 */
import type { XYPosition } from '@xyflow/react'
import { boxesInFrame, boxRound, hull, type Move, moveNodes, setFrame } from '#lib/graph/edit'
import type { Size } from '#lib/graph/geometry'
import type { GraphDocument } from '#lib/spec/graph'
import { boxOf, drawnId, type PlacedBox } from './boxes'
import type { FlowNode } from './flow'
import type { GraphStore } from './graph-store'

/** Sizes of the cards that have been measured, by node id. */
export function measuredSizes(store: GraphStore): Map<string, Size> {
  const sizes = new Map<string, Size>()
  for (const { id, type, measured } of store.getState().nodes) {
    if (type !== 'card' || measured?.width === undefined || measured.height === undefined) continue
    sizes.set(id, { width: measured.width, height: measured.height })
  }
  return sizes
}

/** Moves cards to the positions a layout gave. */
export function arrange(store: GraphStore, places: ReadonlyMap<string, XYPosition>): void {
  const { nodes, edit } = store.getState()
  edit((graph) => {
    const { moves, frames } = arrangeFrames(nodes, places)
    let next = moveNodes(graph, moves).graph
    for (const { id, x, y, width, height } of frames)
      next = setFrame(next, id, { at: [x, y], size: [width, height] }).graph
    return { graph: same(graph, next), notes: [], added: [] }
  })
}

function same(before: GraphDocument, after: GraphDocument): GraphDocument {
  const isSame = before.nodes === after.nodes && before.notes === after.notes && before.look === after.look
  return isSame ? before : after
}

/**
 * Handles the smallest frames first, so that a frame around another frame is drawn around its new position.
 */
function arrangeFrames(
  nodes: readonly FlowNode[],
  places: ReadonlyMap<string, XYPosition>,
): { moves: Move[]; frames: PlacedBox[] } {
  const boxes = nodes.map(boxOf)
  const now = new Map(boxes.map((each) => [each.id, { ...each, ...places.get(each.id) }]))
  const byId = new Map(nodes.map((each) => [each.id, each]))
  const frames: PlacedBox[] = []
  const inOrder = boxes
    .filter((each) => byId.get(each.id)?.type === 'frame')
    .sort((a, b) => a.width * a.height - b.width * b.height)
  for (const frame of inOrder) {
    const within = boxesInFrame(frame, boxes)
    const lead = within.filter((each) => byId.get(each.id)?.type !== 'note')
    const [before, after] = [hull(lead), hull(lead.flatMap((each) => now.get(each.id) ?? []))]
    if (before === undefined || after === undefined) continue
    for (const { id, x, y, width, height } of within) {
      if (byId.get(id)?.type === 'note')
        now.set(id, { id, width, height, x: x + after.x - before.x, y: y + after.y - before.y })
    }
    const round = boxRound(within.flatMap((each) => now.get(each.id) ?? []))
    if (round !== undefined) now.set(frame.id, { id: frame.id, ...round })
  }
  const moves: Move[] = []
  for (const node of nodes) {
    const box = now.get(node.id)
    if (box === undefined) continue
    if (node.type === 'frame') frames.push({ ...box, id: drawnId(node) })
    else moves.push({ id: drawnId(node), at: { x: box.x, y: box.y } })
  }
  return { moves, frames }
}
