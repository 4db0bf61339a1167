/** Actions on the selection: select all, frame it, switch it on and off, move it by steps. */
import type { XYPosition } from '@xyflow/react'
import { boxOf, chosenIds, drawnId, type PlacedBox } from '#components/drawing/boxes'
import { frameFlowId, noteFlowId } from '#components/drawing/flow'
import type { GraphState, GraphStore } from '#components/drawing/graph-store'
import { moveTo } from '#components/drawing/part'
import { addFrame, boxesInFrame, boxRound, setParked } from '#lib/graph/edit'
import { isAgent, kindOf } from '#lib/graph/kinds'

/** Whether anything other than wires is selected. */
export function hasChosen({ selection }: GraphState): boolean {
  return selection.nodes.length + selection.notes.length + selection.frames.length > 0
}

export function selectAll(store: GraphStore): void {
  const { history, select } = store.getState()
  const { nodes, notes, look } = history.present
  const ids = (list: readonly { readonly id: string }[]) => list.map((each) => each.id)
  select({ nodes: ids(nodes), notes: ids(notes), frames: ids(look.frames) })
}

/** Boxes of the selected cards, notes and frames. */
export function chosenBoxes({ nodes }: GraphState): PlacedBox[] {
  return nodes.filter((each) => each.selected).map(boxOf)
}

/** Draws a frame around the selection and returns its id on the canvas. */
export function frameSelection(store: GraphStore): string | undefined {
  const { edit, select, nodes } = store.getState()
  const box = boxRound(chosenBoxes(store.getState()))
  if (box === undefined) return undefined
  let added: readonly string[] = []
  edit((graph) => {
    const placed = moveTo(graph, nodes, new Set())
    const done = addFrame(placed.graph, {
      title: 'Frame',
      at: [box.x, box.y],
      size: [box.width, box.height],
    })
    added = done.added
    return added.length === 0 ? { ...done, graph } : done
  })
  const [id] = added
  if (id === undefined) return undefined
  select({ frames: [id] })
  return frameFlowId(id)
}

/** Selected nodes that can be switched on and off: all except the agent. */
export function switchable({ history, selection, catalog }: GraphState): string[] {
  const chosen = new Set(selection.nodes)
  return history.present.nodes.flatMap(({ id, kind }) =>
    chosen.has(id) && !isAgent(kindOf(catalog, kind)) ? [id] : [],
  )
}

/** Whether the whole selection is off, so that the switch turns it on. */
export function isAllOff(state: GraphState): boolean {
  const ids = switchable(state)
  return ids.length > 0 && ids.every((each) => state.off.has(each))
}

export function toggleSelection(store: GraphStore): void {
  const state = store.getState()
  const ids = switchable(state)
  const parked = !isAllOff(state)
  // When only the agent is selected, the edit is tried anyway: its remark says why the agent stays on.
  const asked = ids.length > 0 ? ids : state.selection.nodes
  state.edit((graph, catalog) => setParked(graph, asked, parked, catalog))
}

/**
 * Moves the selection and the contents of selected frames; key presses close in time are one entry of the
 * history.
 */
export function nudge(store: GraphStore, by: XYPosition): void {
  const { nodes, changeNodes, edit } = store.getState()
  const boxes = nodes.map(boxOf)
  const ids = new Set(nodes.flatMap((each) => (each.selected ? [each.id] : [])))
  for (const node of nodes) {
    if (node.type !== 'frame' || !node.selected) continue
    for (const each of boxesInFrame(boxOf(node), boxes)) ids.add(each.id)
  }
  changeNodes(
    boxes.flatMap(({ id, x, y }) =>
      ids.has(id) ? [{ id, type: 'position' as const, position: { x: x + by.x, y: y + by.y } }] : [],
    ),
  )
  edit((graph) => moveTo(graph, store.getState().nodes, ids), `move.${[...ids].join(' ')}`)
}

/** The contents of a frame on the canvas, as ids in the drawing. */
export function nodesInFrame(state: GraphState, frame: string): string[] {
  const node = state.nodes.find((each) => each.id === frameFlowId(frame))
  if (node === undefined) return []
  const held = new Set(boxesInFrame(boxOf(node), state.nodes.map(boxOf)).map((each) => each.id))
  return state.nodes.flatMap((each) => (held.has(each.id) ? [drawnId(each)] : []))
}

/** The only selected item, by its id on the canvas; undefined when there are several or none. */
export function onlyChosen({ selection }: GraphState): string | undefined {
  const ids = [...selection.nodes, ...selection.notes.map(noteFlowId), ...selection.frames.map(frameFlowId)]
  return ids.length === 1 && chosenIds(selection).length === 1 ? ids[0] : undefined
}
