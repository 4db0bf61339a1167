'use client'
/**
 * The builder's canvas: draw, wire, move and select. Every change to the drawing goes through the store's
 * `edit`.
 */
import { ReactFlow, SelectionMode, useReactFlow } from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import { type MouseEvent, type PointerEvent, useCallback, useRef, useState } from 'react'
import { leastZoom } from '#components/drawing/fit-all'
import { useGraph, useGraphStore } from '#components/drawing/graph-context'
import { useDrawnPermits } from '#components/drawing/use-authority'
import styles from './canvas.module.css'
import { useCanvasCommands } from './canvas-commands'
import { CanvasMenu } from './canvas-menu'
import { CanvasPicker } from './canvas-picker'
import { BuilderTools, CanvasTools, MiniMapCorner, ZoomMark } from './canvas-tools'
import { type CanvasUiStore, createCanvasUi } from './canvas-ui'
import { CanvasUiProvider, useCanvasUi } from './canvas-ui-context'
import { edgeTypes, gridStep, nodeTypes } from './flow-types'
import { GuideLines } from './guide-lines'
import { NameTag } from './name-tag'
import { RemarkLine } from './remark-line'
import { RenameBox } from './rename-box'
import { Sketch } from './sketch'
import { useCanvasMenu } from './use-canvas-menu'
import { useClipboard } from './use-clipboard'
import { useDrop } from './use-drop'
import { useKeepFit } from './use-keep-fit'
import { useKnownFaces } from './use-known-faces'
import { useNodeChanges } from './use-node-changes'
import { useStaged } from './use-staged'
import { useWires } from './use-wires'

const grid: [number, number] = [gridStep, gridStep]
const multiSelect = ['Meta', 'Control', 'Shift']

export function Canvas() {
  const [ui] = useState(createCanvasUi)
  return (
    <CanvasUiProvider value={ui}>
      <Drawing ui={ui} />
    </CanvasUiProvider>
  )
}

function Drawing({ ui }: { ui: CanvasUiStore }) {
  const store = useGraphStore()
  const canvas = useRef<HTMLDivElement>(null)
  const nodes = useGraph((state) => state.nodes)
  const edges = useGraph((state) => state.edges)
  const changeEdges = useGraph((state) => state.changeEdges)
  const snaps = useCanvasUi((state) => state.snaps)
  const hasMap = useCanvasUi((state) => state.hasMap)
  const changeNodes = useNodeChanges(ui)
  const wires = useWires(ui)
  const drop = useDrop(ui)
  useDrawnPermits()
  useKnownFaces()
  const staged = useStaged(nodes, edges)
  const { onMove, fitView } = useKeepFit(staged.isPlaced)
  const { pasteFrom } = useClipboard(canvas)
  const commands = useCanvasCommands({ ui, canvas, fitView, pasteFrom })
  const openMenu = useCanvasMenu(ui, canvas)
  const ask = useAsk(ui)
  const track = useCallback(
    (event: PointerEvent) => store.getState().point({ x: event.clientX, y: event.clientY }),
    [store],
  )
  const hold = useCallback(() => void canvas.current?.toggleAttribute('data-held', true), [])
  const letGo = useCallback(() => void canvas.current?.toggleAttribute('data-held', false), [])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: these are pointer shortcuts; commands do the same
    <div
      ref={canvas}
      className={styles.canvas}
      data-canvas=""
      onPointerMoveCapture={track}
      onPointerDownCapture={track}
      onContextMenu={openMenu}
      {...ask}
      {...drop}
    >
      <ReactFlow
        nodes={staged.nodes}
        edges={staged.edges}
        onNodeDragStart={hold}
        onNodeDragStop={letGo}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        onNodesChange={changeNodes}
        onEdgesChange={changeEdges}
        {...wires}
        connectOnClick={false}
        deleteKeyCode={null}
        multiSelectionKeyCode={multiSelect}
        selectionMode={SelectionMode.Partial}
        zoomOnDoubleClick={false}
        snapToGrid={snaps}
        snapGrid={grid}
        connectionRadius={24}
        minZoom={leastZoom}
        maxZoom={2}
        onMove={onMove}
        attributionPosition="top-right"
      >
        <ZoomMark />
        <Sketch {...staged.rest} />
        <NameTag />
        <GuideLines />
        <RenameBox />
        <CanvasTools fitView={fitView} commands={commands}>
          <BuilderTools />
        </CanvasTools>
        {hasMap && <MiniMapCorner />}
      </ReactFlow>
      <RemarkLine />
      <CanvasPicker />
      <CanvasMenu commands={commands} />
    </div>
  )
}

/**
 * A double click on a card renames it, one on empty canvas opens the list of parts; a click on a port lists the
 * parts that fit it.
 */
function useAsk(ui: CanvasUiStore) {
  const flow = useReactFlow()
  const onDoubleClick = useCallback(
    (event: MouseEvent) => {
      if (!(event.target instanceof Element)) return
      const isControl = event.target.closest('button, input, textarea, .react-flow__handle') !== null
      const card = event.target.closest<HTMLElement>('.react-flow__node-card')?.dataset.id
      if (card !== undefined && !isControl) ui.setState({ writing: card })
      if (!event.target.classList.contains('react-flow__pane')) return
      const at = { x: event.clientX, y: event.clientY }
      ui.setState({ picking: { at, place: flow.screenToFlowPosition(at) } })
    },
    [ui, flow],
  )
  const onClick = useCallback(
    (event: MouseEvent) => {
      const port =
        event.target instanceof Element ? event.target.closest<HTMLElement>('.react-flow__handle') : null
      const { nodeid: node, handleid } = port?.dataset ?? {}
      if (port === null || node === undefined || handleid === undefined) return
      const end = port.classList.contains('source') ? 'source' : 'target'
      const { left, top, width, height } = port.getBoundingClientRect()
      const middle = flow.screenToFlowPosition({ x: left + width / 2, y: top + height / 2 })
      const isAbove = port.classList.contains('react-flow__handle-top')
      const away = end === 'source' ? { x: 96, y: 0 } : isAbove ? { x: 0, y: -64 } : { x: -96, y: 0 }
      const place = { x: middle.x + away.x, y: middle.y + away.y }
      ui.setState({
        picking: { at: { x: event.clientX, y: event.clientY }, place, from: { node, port: handleid, end } },
      })
    },
    [ui, flow],
  )
  return { onDoubleClick, onClick }
}
