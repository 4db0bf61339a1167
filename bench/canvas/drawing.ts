/**
 * The drawing on which the canvas is measured: one agent, its model, tools in columns, and policies for them.
 */
import type { GraphDocument, GraphEdge, GraphNode } from '#lib/spec/graph'

export interface DrawingSize {
  readonly nodes: number
  readonly edges: number
}

/** Policies of each tool; the blocks of a tool with its policies are arranged in a square. */
const perTool = 9
const blockWidth = 480
const rowHeight = 64

/**
 * The same sizes give the same drawing: one part in ten is a tool, the others are policies of it and of the
 * tool after it.
 */
export function drawingOf({ nodes: most, edges: mostEdges }: DrawingSize): GraphDocument {
  const parts = most - 2
  const tools = Math.ceil(parts / (perTool + 1))
  const across = Math.ceil(Math.sqrt(tools))
  const nodes: GraphNode[] = [
    {
      id: 'agent',
      kind: 'agent',
      config: {
        name: 'measured',
        title: 'Measured agent',
        instructions: 'You answer questions. Read the schema first.',
      },
      at: { x: across * blockWidth + 64, y: Math.round(across / 2) * perTool * rowHeight },
    },
    {
      id: 'model',
      kind: 'model',
      config: { provider: 'scripted', name: 'demo' },
      at: { x: across * blockWidth - 240, y: -160 },
    },
  ]
  const edges: GraphEdge[] = [wire('model', 'model', 'agent', 'model')]
  const corner = (tool: number) => ({
    x: (tool % across) * blockWidth,
    y: Math.floor(tool / across) * (perTool + 1) * rowHeight,
  })
  for (let tool = 0; tool < tools; tool++) {
    const { x, y } = corner(tool)
    const at = { x: x + 240, y: y + 4 * rowHeight }
    nodes.push({ id: `t${tool}`, kind: 'tool:http', config: { name: `part_${tool}` }, at })
    edges.push(wire(`t${tool}`, 'tool', 'agent', 'tools'))
  }
  for (let rank = 0; nodes.length < most; rank++) {
    const tool = rank % tools
    const { x, y } = corner(tool)
    const at = { x, y: y + Math.floor(rank / tools) * rowHeight }
    nodes.push({ id: `p${rank}`, kind: 'policy:results', config: { maxChars: 1_000 + rank }, at })
    edges.push(wire(`p${rank}`, 'policy', `t${tool}`, 'policies'))
  }
  for (let rank = 0; edges.length < mostEdges && rank < parts - tools; rank++)
    edges.push(wire(`p${rank}`, 'policy', `t${(rank + 1) % tools}`, 'policies'))
  return { version: 1, nodes, edges, notes: [], parked: [], look: { frames: [] } }
}

function wire(from: string, out: string, to: string, port: string): GraphEdge {
  return { from: { node: from, port: out }, to: { node: to, port } }
}
