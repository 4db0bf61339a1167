'use client'
/** The canvas of the builder: draw, wire, move and choose. All that changes the drawing goes through the store's one `edit`. */
import {
  type Connection,
  type FinalConnectionState,
  type NodeChange,
  type OnConnectStartParams,
  ReactFlow,
  useReactFlow,
} from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import { type DragEvent, type PointerEvent, useCallback, useRef } from 'react'
import { connect } from '#lib/graph/edit'
import styles from './canvas.module.css'
import { CanvasTools, MiniMapCorner, ZoomMark } from './canvas-tools'
import type { FlowNode } from './flow'
import { edgeTypes, fitAll, gridStep, nodeTypes } from './flow-types'
import { useGraph, useGraphStore } from './graph-context'
import { addPart, moveTo, readPart } from './part'
import { RemarkLine } from './remark-line'
import { useKeepFit } from './use-keep-fit'
import { refusal, startWiring, wireInto } from './wiring'

const grid: [number, number] = [gridStep, gridStep]
/** Above this many nodes only what is in view is drawn. */
const manyNodes = 300

export function Canvas() {
  const store = useGraphStore()
  const nodes = useGraph((state) => state.nodes)
  const edges = useGraph((state) => state.edges)
  const changeEdges = useGraph((state) => state.changeEdges)
  const changeNodes = useNodeChanges()
  const wires = useWires()
  const drop = useDrop()
  const { onMove, fitView } = useKeepFit()
  const follow = useCallback(
    (event: PointerEvent) => store.getState().point({ x: event.clientX, y: event.clientY }),
    [store],
  )
  return (
    <div className={styles.canvas} data-canvas="" onPointerMoveCapture={follow} {...drop}>
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        onNodesChange={changeNodes}
        onEdgesChange={changeEdges}
        {...wires}
        deleteKeyCode={null}
        multiSelectionKeyCode={multiSelect}
        snapToGrid
        snapGrid={grid}
        connectionRadius={24}
        minZoom={0.2}
        maxZoom={2}
        onMove={onMove}
        fitView
        fitViewOptions={fitAll}
        onlyRenderVisibleElements={nodes.length > manyNodes}
        attributionPosition="bottom-center"
      >
        <ZoomMark />
        <CanvasTools fitView={fitView} />
        <MiniMapCorner />
      </ReactFlow>
      <RemarkLine />
    </div>
  )
}

const multiSelect = ['Meta', 'Control', 'Shift']

/** A drag or a row of arrow presses is one entry of the history, written when it rests. */
function useNodeChanges() {
  const store = useGraphStore()
  const isDragging = useRef(false)
  return useCallback(
    (changes: NodeChange<FlowNode>[]) => {
      const { changeNodes, edit } = store.getState()
      changeNodes(changes)
      const moves = changes.filter((each) => each.type === 'position')
      if (moves.some((each) => each.dragging)) isDragging.current = true
      const rested = new Set(moves.flatMap((each) => (each.dragging === false ? [each.id] : [])))
      if (rested.size === 0) return
      const gesture = isDragging.current ? undefined : `move.${[...rested].join(' ')}`
      isDragging.current = false
      edit((graph) => moveTo(graph, store.getState().nodes, rested), gesture)
    },
    [store],
  )
}

function useWires() {
  const store = useGraphStore()
  const add = useCallback(
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
  const start = useCallback(
    (_: unknown, { nodeId, handleId, handleType }: OnConnectStartParams) => {
      if (nodeId === null || handleId === null || handleType === null) return
      const { history, catalog, setWiring, say } = store.getState()
      say(null)
      setWiring(
        startWiring({
          graph: history.present,
          catalog,
          from: { node: nodeId, port: handleId },
          end: handleType,
        }),
      )
    },
    [store],
  )
  const end = useCallback(
    (event: MouseEvent | TouchEvent, { toNode, toHandle, isValid }: FinalConnectionState) => {
      const { wiring, setWiring, history, catalog, edit, say } = store.getState()
      setWiring(null)
      const node = toNode?.id ?? nodeUnder(event)
      if (wiring === null || isValid || node === undefined || node === wiring.node) return
      const wire = toHandle === null ? wireInto(wiring, node) : undefined
      if (wire !== undefined) edit((graph) => connect(graph, wire.from, wire.to, catalog))
      else
        say(
          refusal({ graph: history.present, catalog, wiring, node, port: toHandle?.id ?? undefined }),
          pointOf(event),
        )
    },
    [store],
  )
  const isValid = useCallback(
    ({
      source,
      sourceHandle,
      target,
      targetHandle,
    }: {
      source: string
      sourceHandle?: string | null
      target: string
      targetHandle?: string | null
    }) => {
      const { wiring } = store.getState()
      if (wiring === null) return false
      const there = wiring.end === 'source' ? `${target}:${targetHandle}` : `${source}:${sourceHandle}`
      return wiring.ports.has(there)
    },
    [store],
  )
  return { onConnect: add, onConnectStart: start, onConnectEnd: end, isValidConnection: isValid }
}

function nodeUnder(event: MouseEvent | TouchEvent): string | undefined {
  const { x, y } = pointOf(event)
  const card = document.elementFromPoint(x, y)?.closest<HTMLElement>('.react-flow__node')
  return card?.dataset.id
}

function pointOf(event: MouseEvent | TouchEvent): { x: number; y: number } {
  const touch = 'changedTouches' in event ? event.changedTouches[0] : event
  return { x: touch?.clientX ?? 0, y: touch?.clientY ?? 0 }
}

function useDrop() {
  const store = useGraphStore()
  const { screenToFlowPosition } = useReactFlow()
  const onDragOver = useCallback((event: DragEvent) => {
    event.preventDefault()
    event.dataTransfer.dropEffect = 'copy'
  }, [])
  const onDrop = useCallback(
    (event: DragEvent) => {
      const part = readPart(event.dataTransfer)
      if (part === undefined) return
      event.preventDefault()
      addPart({
        store,
        part,
        at: screenToFlowPosition({ x: event.clientX - 40, y: event.clientY - 24 }),
        isWired: false,
      })
    },
    [store, screenToFlowPosition],
  )
  return { onDragOver, onDrop }
}
