/** One drag from start to end: frames take their contents along, and what moves snaps to alignment lines. */
import type { NodePositionChange, XYPosition } from '@xyflow/react'
import { boxesInFrame, hull } from '#lib/graph/edit'
import { boxOf } from './boxes'
import type { FlowNode } from './flow'
import { type AlignLines, align, type Guide } from './guides'

export interface Drag {
  /** Each item's position when the drag began. */
  readonly starts: ReadonlyMap<string, XYPosition>
  /** Items carried by a frame: item id → frame id. */
  readonly carried: ReadonlyMap<string, string>
  /** The items dragged directly, with their sizes for alignment. */
  readonly held: ReadonlyMap<string, { readonly width: number; readonly height: number }>
}

export function beginDrag(nodes: readonly FlowNode[], moved: ReadonlySet<string>): Drag {
  const boxes = nodes.map(boxOf)
  const others = boxes.filter((each) => !moved.has(each.id))
  const carried = new Map<string, string>()
  for (const node of nodes) {
    if (node.type !== 'frame' || !moved.has(node.id)) continue
    for (const { id } of boxesInFrame(boxOf(node), others)) if (!carried.has(id)) carried.set(id, node.id)
  }
  const held = boxes.filter((each) => moved.has(each.id))
  return {
    starts: new Map(
      boxes.flatMap(({ id, x, y }) => (moved.has(id) || carried.has(id) ? [[id, { x, y }]] : [])),
    ),
    carried,
    held: new Map(held.map(({ id, width, height }) => [id, { width, height }])),
  }
}

/** A change with a position: the library also reports changes that have none. */
export type DragStep = NodePositionChange & { readonly position: XYPosition }

/** The changes to apply: those the library reported, snapped to a line, plus the carried items. */
export function dragChanges(
  drag: Drag,
  steps: readonly DragStep[],
  lines: { readonly near: AlignLines; readonly reach: number } | undefined,
): { changes: DragStep[]; guides: Guide[] } {
  const box = hull(steps.flatMap(({ id, position }) => boxAt(drag, id, position)))
  const pulled = lines === undefined || box === undefined ? undefined : align(box, lines.near, lines.reach)
  const by = pulled?.by ?? { x: 0, y: 0 }
  const changes = steps.map((each) => ({
    ...each,
    position: { x: each.position.x + by.x, y: each.position.y + by.y },
  }))
  const gone = new Map(changes.map((each) => [each.id, each]))
  for (const [id, frame] of drag.carried) {
    const [lead, start, from] = [gone.get(frame), drag.starts.get(id), drag.starts.get(frame)]
    if (lead === undefined || start === undefined || from === undefined) continue
    const position = { x: start.x + lead.position.x - from.x, y: start.y + lead.position.y - from.y }
    changes.push({ id, type: 'position', position, dragging: lead.dragging })
  }
  return { changes, guides: pulled?.guides ?? [] }
}

function boxAt(drag: Drag, id: string, position: XYPosition) {
  const size = drag.held.get(id)
  return size === undefined ? [] : [{ ...position, ...size }]
}
