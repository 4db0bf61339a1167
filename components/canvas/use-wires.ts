'use client'
/**
 * Drawing wires: the matching ports are found once when a wire is picked up. A drop is accepted, is refused
 * with a reason, or opens the list of parts.
 */
import {
  type Connection,
  type Edge,
  type FinalConnectionState,
  type OnConnectStartParams,
  useReactFlow,
} from '@xyflow/react'
import { useCallback, useRef } from 'react'
import { portKey } from '#components/drawing/flow'
import { useGraphStore } from '#components/drawing/graph-context'
import { startWiring, wireInto, wireRefusal } from '#components/drawing/wiring'
import { connect } from '#lib/graph/edit'
import type { CanvasUiStore } from './canvas-ui'

/** Px. A wire dropped this close to its start was not intended. */
const leastPull = 24

export function useWires(ui: CanvasUiStore) {
  const store = useGraphStore()
  const flow = useReactFlow()
  const began = useRef({ x: 0, y: 0 })
  const onConnect = useCallback(
    ({ source, sourceHandle, target, targetHandle }: Connection) => {
      if (sourceHandle === null || targetHandle === null) return
      store
        .getState()
        .edit((graph, catalog) =>
          connect(graph, { node: source, port: sourceHandle }, { node: target, port: targetHandle }, catalog),
        )
    },
    [store],
  )
  const onConnectStart = useCallback(
    (event: MouseEvent | TouchEvent, { nodeId, handleId, handleType }: OnConnectStartParams) => {
      if (nodeId === null || handleId === null || handleType === null) return
      began.current = pointOf(event)
      const { history, catalog, setWiring, say } = store.getState()
      say(null)
      const from = { node: nodeId, port: handleId }
      setWiring(startWiring({ graph: history.present, catalog, from, end: handleType }))
    },
    [store],
  )
  const onConnectEnd = useCallback(
    (event: MouseEvent | TouchEvent, { toNode, toHandle, isValid }: FinalConnectionState) => {
      const { wiring, setWiring, history, catalog, edit, say } = store.getState()
      setWiring(null)
      if (wiring === null || isValid) return
      const at = pointOf(event)
      if (Math.hypot(at.x - began.current.x, at.y - began.current.y) < leastPull) return
      const node = toNode?.id ?? nodeUnder(at)
      if (node === undefined) {
        if (!isCanvas(at)) return
        const { node, port, end } = wiring
        ui.setState({ picking: { at, place: flow.screenToFlowPosition(at), from: { node, port, end } } })
        return
      }
      const wire = toHandle === null ? wireInto(wiring, node) : undefined
      if (wire !== undefined) edit((graph) => connect(graph, wire.from, wire.to, catalog))
      else
        say(
          wireRefusal({ graph: history.present, catalog, wiring, node, port: toHandle?.id ?? undefined }),
          at,
        )
    },
    [store, flow, ui],
  )
  const isValidConnection = useCallback(
    ({ source, sourceHandle, target, targetHandle }: Edge | Connection) => {
      const { wiring } = store.getState()
      if (wiring === null) return false
      const key =
        wiring.end === 'source' ? portKey(target, targetHandle ?? '') : portKey(source, sourceHandle ?? '')
      return wiring.ports.has(key)
    },
    [store],
  )
  return { onConnect, onConnectStart, onConnectEnd, isValidConnection }
}

/** The card under a point; notes and frames take no wires, so they are ignored. */
function nodeUnder({ x, y }: { x: number; y: number }): string | undefined {
  return document.elementFromPoint(x, y)?.closest<HTMLElement>('.react-flow__node-card')?.dataset.id
}

function isCanvas({ x, y }: { x: number; y: number }): boolean {
  return document.elementFromPoint(x, y)?.closest('.react-flow__renderer') != null
}

function pointOf(event: MouseEvent | TouchEvent): { x: number; y: number } {
  const touch = 'touches' in event ? (event.changedTouches[0] ?? event.touches[0]) : event
  return { x: touch?.clientX ?? 0, y: touch?.clientY ?? 0 }
}
