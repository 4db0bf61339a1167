'use client'
/** A read-only drawing: the canvas of a run page, with the same cards and wires as the builder. */
import { ReactFlow, ReactFlowProvider } from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import { useEffect, useMemo, useRef } from 'react'
import { leastZoom } from '#components/drawing/fit-all'
import { GraphProvider, useGraph, useGraphStore } from '#components/drawing/graph-context'
import { createGraphStore } from '#components/drawing/graph-store'
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument } from '#lib/spec/graph'
import styles from './canvas.module.css'
import { CanvasTools, ZoomMark } from './canvas-tools'
import { edgeTypes, nodeTypes } from './flow-types'
import { NameTag } from './name-tag'
import { Sketch } from './sketch'
import { useKeepFit } from './use-keep-fit'
import { useKnownFaces } from './use-known-faces'
import { useStaged } from './use-staged'

export interface GraphViewProps {
  graph: GraphDocument
  catalog: Catalog
  /** Entry path → node id of this graph, which connects the run's events to its cards. */
  origins: Readonly<Record<string, string>>
  onSelectNode?(node: string, path: string | undefined): void
  /** A node that another part of the page points at; each new object selects it again. */
  pointed?: { readonly node: string } | null
}

/** Renders again only for another graph; the run's state reaches each card directly. */
export function GraphView({ graph, catalog, origins, onSelectNode, pointed }: GraphViewProps) {
  const store = useMemo(
    () => createGraphStore({ graph, catalog, origins, isReadOnly: true }),
    [graph, catalog, origins],
  )
  return (
    <GraphProvider store={store}>
      <ReactFlowProvider>
        <Frozen onSelectNode={onSelectNode} pointed={pointed} />
      </ReactFlowProvider>
    </GraphProvider>
  )
}

function Frozen({ onSelectNode, pointed }: Pick<GraphViewProps, 'onSelectNode' | 'pointed'>) {
  const store = useGraphStore()
  const nodes = useGraph((state) => state.nodes)
  const edges = useGraph((state) => state.edges)
  const changeNodes = useGraph((state) => state.changeNodes)
  const [selected] = useGraph((state) => state.selection.nodes)
  useKnownFaces()
  const staged = useStaged(nodes, edges)
  const { onMove, fitView } = useKeepFit(staged.isPlaced)
  const tell = useRef(onSelectNode)
  useEffect(() => {
    tell.current = onSelectNode
  })
  const quiet = useRef<string | undefined>(undefined)
  useEffect(() => {
    if (pointed == null) return
    quiet.current = pointed.node
    store.getState().select({ nodes: [pointed.node] })
  }, [pointed, store])
  useEffect(() => {
    // The caller that pointed at a node already knows which one it is.
    if (selected === quiet.current) return
    quiet.current = undefined
    if (selected !== undefined) tell.current?.(selected, store.getState().paths.get(selected))
  }, [selected, store])
  return (
    <div className={styles.canvas} data-canvas="">
      <ReactFlow
        nodes={staged.nodes}
        edges={staged.edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        onNodesChange={changeNodes}
        nodesDraggable={false}
        nodesConnectable={false}
        edgesFocusable={false}
        deleteKeyCode={null}
        minZoom={leastZoom}
        maxZoom={2}
        onMove={onMove}
        attributionPosition="top-right"
      >
        <ZoomMark />
        <Sketch {...staged.rest} />
        <NameTag />
        <CanvasTools fitView={fitView} />
      </ReactFlow>
    </div>
  )
}
