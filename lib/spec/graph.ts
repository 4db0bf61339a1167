/** The drawing: nodes, edges and notes as one document, validated wherever it comes in. */
import { z } from 'zod'
import { frame, nodeTitle, position } from './config'
import { jsonObject } from './json'

const id = z.string().min(1).max(64)

export const graphNode = z.strictObject({
  id,
  kind: z.string().min(1).max(64),
  /** The entry without `use`; it may be unfinished. */
  config: jsonObject,
  at: z.strictObject({ x: z.int(), y: z.int() }).optional(),
  /** Shown on its card in place of what it is called by; it has no effect on the agent. */
  title: nodeTitle.optional(),
})
export type GraphNode = z.infer<typeof graphNode>

/** From an out port (named by its type) to an in port. */
export const graphEdge = z.strictObject({
  from: z.strictObject({ node: id, port: z.string().max(64) }),
  to: z.strictObject({ node: id, port: z.string().max(64) }),
})
export type GraphEdge = z.infer<typeof graphEdge>

export const graphNote = z.strictObject({
  id,
  text: z.string().max(10_000),
  at: position,
  size: position.optional(),
})
export type GraphNote = z.infer<typeof graphNote>

export const graphFrame = frame.extend({ id })
export type GraphFrame = z.infer<typeof graphFrame>

/** The most that one drawing may hold. */
export const mostDrawn = { nodes: 2_000, edges: 10_000, notes: 200, frames: 100 } as const

export const graphLook = z.strictObject({ frames: z.array(graphFrame).max(mostDrawn.frames).default([]) })

/** The order of `nodes` is the order of entries in the config. */
export const graphDocument = z.strictObject({
  version: z.literal(1),
  nodes: z.array(graphNode).max(mostDrawn.nodes),
  edges: z.array(graphEdge).max(mostDrawn.edges),
  notes: z.array(graphNote).max(mostDrawn.notes).default([]),
  /**
   * Ids of the nodes that a person has switched off. Unwired nodes are not listed, since the edges show them.
   */
  parked: z.array(id).max(mostDrawn.nodes).default([]),
  /** How the drawing looks, apart from positions. */
  look: graphLook.default({ frames: [] }),
})
export type GraphDocument = z.infer<typeof graphDocument>

export const emptyGraph: GraphDocument = {
  version: 1,
  nodes: [],
  edges: [],
  notes: [],
  parked: [],
  look: { frames: [] },
}
