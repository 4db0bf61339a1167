'use client'
/**
 * Opens the menu by the right button or the menu key, for the item under the pointer, which becomes selected
 * if it was not.
 */
import { useReactFlow } from '@xyflow/react'
import { type MouseEvent, type RefObject, useCallback, useMemo } from 'react'
import type { Command } from '#components/commands/commands'
import { useCommands } from '#components/commands/commands-context'
import { drawnId } from '#components/drawing/boxes'
import type { FlowNode } from '#components/drawing/flow'
import { useGraphStore } from '#components/drawing/graph-context'
import type { GraphStore } from '#components/drawing/graph-store'
import { hull } from '#lib/graph/edit'
import type { CanvasUiStore, MenuTarget } from './canvas-ui'
import { chosenBoxes } from './selection-edits'

export function useCanvasMenu(ui: CanvasUiStore, canvas: RefObject<HTMLElement | null>) {
  const store = useGraphStore()
  const flow = useReactFlow()
  const commands = useMemo((): Command[] => {
    const open = () => {
      const box = hull(chosenBoxes(store.getState()))
      const middle = canvas.current?.getBoundingClientRect()
      const [wire] = store.getState().selection.edges
      const centre = { x: (middle?.left ?? 0) + (middle?.width ?? 0) / 2, y: (middle?.top ?? 0) + 96 }
      const at =
        box === undefined
          ? centre
          : flow.flowToScreenPosition({
              x: box.x + Math.min(box.width, 96),
              y: box.y + Math.min(box.height, 40),
            })
      const place = flow.screenToFlowPosition(at)
      const other: MenuTarget = wire === undefined ? { on: 'canvas', place } : { on: 'wire', id: wire }
      ui.setState({ menu: { at, target: box === undefined ? other : { on: 'selection' } } })
    }
    return [
      {
        id: 'canvas.menu',
        label: 'Selection menu',
        group: 'Edit',
        isUnlisted: true,
        keys: ['Shift+F10', 'ContextMenu'],
        run: open,
      },
    ]
  }, [store, flow, ui, canvas])
  useCommands(commands)
  return useCallback(
    (event: MouseEvent) => {
      const target = targetOf(event, store, flow.screenToFlowPosition)
      if (target === undefined) return
      event.preventDefault()
      store.getState().say(null)
      ui.setState({ menu: { at: { x: event.clientX, y: event.clientY }, target } })
    },
    [store, flow, ui],
  )
}

function targetOf(
  { target, clientX, clientY }: MouseEvent,
  store: GraphStore,
  toPlace: (at: { x: number; y: number }) => { x: number; y: number },
): MenuTarget | undefined {
  if (!(target instanceof Element) || target.closest('input, textarea, [popover]') !== null) return undefined
  const { nodes, select, selection } = store.getState()
  const wire = target.closest<HTMLElement>('.react-flow__edge')?.dataset.id
  if (wire !== undefined) {
    if (!selection.edges.includes(wire)) select({ edges: [wire] })
    return { on: 'wire', id: wire }
  }
  if (target.closest('.react-flow__nodesselection-rect') !== null) return { on: 'selection' }
  const card = target.closest<HTMLElement>('.react-flow__node')?.dataset.id
  const node = nodes.find((each) => each.id === card)
  if (node !== undefined) {
    if (!node.selected) chooseOnly(store, node)
    return { on: 'selection' }
  }
  if (target.closest('.react-flow__pane') === null) return undefined
  return { on: 'canvas', place: toPlace({ x: clientX, y: clientY }) }
}

function chooseOnly(store: GraphStore, node: FlowNode): void {
  const ids = [drawnId(node)]
  store.getState().select({
    nodes: node.type === 'card' ? ids : [],
    notes: node.type === 'note' ? ids : [],
    frames: node.type === 'frame' ? ids : [],
  })
}
