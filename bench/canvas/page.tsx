/**
 * The measured page: our canvas (`?page=ours`), or a bare React Flow with as many nodes and edges in the same
 * places (`?page=bare`).
 */
import {
  Background,
  type Edge,
  MiniMap,
  type Node,
  type NodeProps,
  ReactFlow,
  ReactFlowProvider,
  useEdgesState,
  useNodesState,
  useReactFlow,
} from '@xyflow/react'
import '@xyflow/react/dist/style.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { memo, Profiler, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Canvas } from '#components/canvas/canvas'
import { nodeTypes } from '#components/canvas/flow-types'
import { NodeCard } from '#components/canvas/node-card'
import { CommandsProvider } from '#components/commands/commands-context'
import type { CardNode } from '#components/drawing/flow'
import { GraphProvider } from '#components/drawing/graph-context'
import { createGraphStore } from '#components/drawing/graph-store'
import { RunProvider } from '#components/run/run-context'
import { catalog } from '../../lib/graph/catalog.fixture'
import { drawingOf } from './drawing'
import '../page.css'

const asked = new URLSearchParams(window.location.search)
const graph = drawingOf({ nodes: Number(asked.get('nodes')), edges: Number(asked.get('edges')) })
/** The values that the measuring script reads and calls. */
const bench: Record<string, unknown> = {}
Object.assign(window, { bench })

/** The node ids of the cards rendered since the script last looked. */
const rendered: string[] = []
bench.rendered = rendered
const Counted = memo(function Counted(props: NodeProps<CardNode>) {
  return (
    <Profiler id={props.id} onRender={(id) => void rendered.push(id)}>
      <NodeCard {...props} />
    </Profiler>
  )
})
// `nodeTypes` is a module-level object: changed before the first render, it makes every card a counted one.
if (asked.has('count')) Object.assign(nodeTypes, { card: Counted })

function Bridge() {
  const flow = useReactFlow()
  useEffect(() => {
    bench.flow = flow
  }, [flow])
  return null
}

function Ours() {
  const [store] = useState(() => {
    const began = performance.now()
    const made = createGraphStore({ graph, catalog })
    bench.createMs = performance.now() - began
    return made
  })
  bench.store = store
  return (
    <RunProvider>
      <GraphProvider store={store}>
        <ReactFlowProvider>
          <Canvas />
          <Bridge />
        </ReactFlowProvider>
      </GraphProvider>
    </RunProvider>
  )
}

const bareNodes = graph.nodes.map(
  ({ id, at }): Node => ({
    id,
    position: at ?? { x: 0, y: 0 },
    data: { label: id },
    style: { width: id === 'agent' ? 256 : 200, height: id === 'agent' ? 160 : 50 },
  }),
)
const bareEdges = graph.edges.map(
  ({ from, to }): Edge => ({ id: `${from.node}>${to.node}`, source: from.node, target: to.node }),
)

function Bare() {
  const [nodes, , changeNodes] = useNodesState(bareNodes)
  const [edges, , changeEdges] = useEdgesState(bareEdges)
  return (
    <ReactFlowProvider>
      <ReactFlow
        nodes={nodes}
        edges={edges}
        onNodesChange={changeNodes}
        onEdgesChange={changeEdges}
        minZoom={0.05}
        maxZoom={2}
        onlyRenderVisibleElements
        fitView
      >
        <Background />
        <MiniMap />
      </ReactFlow>
      <Bridge />
    </ReactFlowProvider>
  )
}

const root = document.getElementById('root')
if (root !== null)
  createRoot(root).render(
    <QueryClientProvider client={new QueryClient()}>
      <CommandsProvider>{asked.get('page') === 'bare' ? <Bare /> : <Ours />}</CommandsProvider>
    </QueryClientProvider>,
  )
