'use client'
/**
 * Handles the node changes that the canvas library reports. A drag or a series of arrow presses is one entry
 * of the history, written when it ends.
 */
import { type NodeChange, useReactFlow, useStoreApi } from '@xyflow/react'
import { useCallback, useRef } from 'react'
import { boxOf } from '#components/drawing/boxes'
import { beginDrag, type Drag, type DragStep, dragChanges } from '#components/drawing/drag'
import type { FlowNode } from '#components/drawing/flow'
import { useGraphStore } from '#components/drawing/graph-context'
import type { GraphStore } from '#components/drawing/graph-store'
import { type AlignLines, alignLines } from '#components/drawing/guides'
import { moveTo } from '#components/drawing/part'
import { insertNode } from '#lib/graph/insert'
import type { CanvasUiStore } from './canvas-ui'
import { highlightWire, type Landing, landingAt } from './landing'

/**
 * How far an alignment line pulls: on the grid always to the nearest step, otherwise a few pixels of the
 * screen.
 */
const reachOnGrid = 8
const reachFree = 6

interface Going {
  readonly drag: Drag
  /** The alignment lines of the boxes in view, and the view they were computed for. */
  lines: AlignLines
  view: string
  landing: Landing | undefined
}

export function useNodeChanges(ui: CanvasUiStore) {
  const store = useGraphStore()
  const library = useStoreApi()
  const flow = useReactFlow()
  const going = useRef<Going | null>(null)

  /** The visible part of the canvas, in its own units. */
  const seen = useCallback(() => {
    const { width, height, transform } = library.getState()
    const [x, y, zoom] = transform
    return { x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom, zoom }
  }, [library])

  const linesInView = useCallback(
    (drag: Drag) => {
      const { x, y, width, height } = seen()
      const still = store.getState().nodes.flatMap((node) => {
        if (drag.starts.has(node.id)) return []
        const box = boxOf(node)
        const isSeen =
          box.x < x + width && x < box.x + box.width && box.y < y + height && y < box.y + box.height
        return isSeen ? [box] : []
      })
      return alignLines(still)
    },
    [store, seen],
  )

  return useCallback(
    (changes: NodeChange<FlowNode>[]) => {
      const { changeNodes } = store.getState()
      const steps = changes.filter(isStep)
      const others = withoutHalfFrames(
        changes.filter((each) => !isStep(each)),
        library.getState(),
        flow,
      )
      if (steps.length === 0) {
        if (others.length > 0) changeNodes(others)
        return
      }
      const isByHand = going.current !== null || steps.some((each) => each.dragging)
      const drag =
        going.current?.drag ?? beginDrag(store.getState().nodes, new Set(steps.map((each) => each.id)))
      if (!isByHand) {
        const { changes: moved } = dragChanges(drag, steps, undefined)
        changeNodes([...others, ...moved])
        const ids = new Set(moved.map((each) => each.id))
        store
          .getState()
          .edit((graph) => moveTo(graph, store.getState().nodes, ids), `move.${[...ids].join(' ')}`)
        return
      }
      const view = seen()
      const key = `${view.x} ${view.y} ${view.zoom}`
      going.current ??= { drag, lines: linesInView(drag), view: key, landing: undefined }
      if (going.current.view !== key) Object.assign(going.current, { lines: linesInView(drag), view: key })
      const reach = ui.getState().snaps ? reachOnGrid : reachFree / view.zoom
      const { changes: moved, guides } = dragChanges(drag, steps, { near: going.current.lines, reach })
      changeNodes([...others, ...moved])
      going.current.landing = landingOf(store, drag)
      highlightWire(going.current.landing?.answer.ok ? going.current.landing.wire : null)
      if (steps.some((each) => each.dragging)) {
        if (guides.length > 0 || ui.getState().guides.length > 0) ui.setState({ guides })
        return
      }
      rest(store, new Set(moved.map((each) => each.id)), going.current.landing)
      going.current = null
      highlightWire(null)
      ui.setState({ guides: [] })
    },
    [store, library, flow, ui, seen, linesInView],
  )
}

function isStep(change: NodeChange<FlowNode>): change is DragStep {
  return change.type === 'position' && change.dragging !== undefined && change.position !== undefined
}

/** A single unwired card held over a wire can be inserted into it. */
function landingOf(store: GraphStore, drag: Drag): Landing | undefined {
  const [id, ...more] = drag.held.keys()
  const { wiredNodes, history, pointerAt } = store.getState()
  if (id === undefined || more.length > 0 || wiredNodes.has(id)) return undefined
  const node = history.present.nodes.find((each) => each.id === id)
  return node && landingAt(store, pointerAt(), node)
}

/** The new positions, and the wire that the card was inserted into, are one entry of the history. */
function rest(store: GraphStore, moved: ReadonlySet<string>, landing: Landing | undefined): void {
  const { edit, say, nodes, pointerAt } = store.getState()
  const [only] = moved
  edit((graph, catalog) => {
    const placed = moveTo(graph, nodes, moved)
    if (landing?.answer.ok !== true || only === undefined) return placed
    return insertNode(placed.graph, { wire: landing.wire, node: only }, catalog)
  })
  if (landing?.answer.ok === false) say(landing.answer.reason, pointerAt())
}

interface Library {
  readonly userSelectionActive: boolean
  readonly userSelectionRect: { x: number; y: number; width: number; height: number } | null
  readonly transform: readonly [number, number, number]
  readonly nodeLookup: ReadonlyMap<string, { readonly internals: { readonly userNode: unknown } }>
}

/**
 * A selection box selects a frame only when it contains all of it; otherwise the contents of a frame could
 * not be selected alone.
 */
function withoutHalfFrames(
  changes: NodeChange<FlowNode>[],
  { userSelectionActive, userSelectionRect: rect, transform }: Library,
  flow: ReturnType<typeof useReactFlow>,
): NodeChange<FlowNode>[] {
  if (!userSelectionActive || rect === null) return changes
  const [left, top, zoom] = transform
  const from = { x: (rect.x - left) / zoom, y: (rect.y - top) / zoom }
  const to = { x: from.x + rect.width / zoom, y: from.y + rect.height / zoom }
  return changes.filter((each) => {
    if (each.type !== 'select' || !each.selected) return true
    const node = flow.getNode(each.id)
    if (node?.type !== 'frame') return true
    const { x, y } = node.position
    const [width, height] = [node.width ?? 0, node.height ?? 0]
    return x >= from.x && y >= from.y && x + width <= to.x && y + height <= to.y
  })
}
