/** Positions on the canvas as boxes, in the canvas's own units. */
import type { Box } from '#lib/graph/edit'
import type { FlowNode } from './flow'

export interface PlacedBox extends Box {
  /** The id on the canvas. */
  readonly id: string
}

/** For a part that is neither measured nor has a size of its own. */
const common = { width: 200, height: 50 }

export function boxOf({
  id,
  position,
  measured,
  width,
  height,
  initialWidth,
  initialHeight,
}: FlowNode): PlacedBox {
  return {
    id,
    ...position,
    width: measured?.width ?? width ?? initialWidth ?? common.width,
    height: measured?.height ?? height ?? initialHeight ?? common.height,
  }
}

/** The id in the drawing: notes and frames have a different id on the canvas. */
export function drawnId(node: FlowNode): string {
  if (node.type === 'note') return node.data.note.id
  return node.type === 'frame' ? node.data.frame.id : node.id
}

/** The ids in the drawing of everything selected except wires. */
export function chosenIds(selection: {
  readonly nodes: readonly string[]
  readonly notes: readonly string[]
  readonly frames: readonly string[]
}): string[] {
  return [...selection.nodes, ...selection.notes, ...selection.frames]
}
