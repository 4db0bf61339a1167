/** The drawing: nodes, edges and notes as one document, checked on every way in. */
import { z } from 'zod'
import { position } from './config'
import { jsonObject } from './json'

const id = z.string().min(1).max(64)

export const graphNode = z.strictObject({
  id,
  kind: z.string().min(1).max(64),
  /** The entry without `use`; it may be unfinished. */
  config: jsonObject,
  at: z.strictObject({ x: z.int(), y: z.int() }).optional(),
})
export type GraphNode = z.infer<typeof graphNode>

/** From an out port (named by its type) to an in port. */
export const graphEdge = z.strictObject({
  from: z.strictObject({ node: id, port: z.string() }),
  to: z.strictObject({ node: id, port: z.string() }),
})
export type GraphEdge = z.infer<typeof graphEdge>

export const graphNote = z.strictObject({
  id,
  text: z.string().max(10_000),
  at: position,
  size: position.optional(),
})
export type GraphNote = z.infer<typeof graphNote>

/** Order of entries in the config is the order of `nodes`. */
export const graphDocument = z.strictObject({
  version: z.literal(1),
  nodes: z.array(graphNode).max(500),
  edges: z.array(graphEdge).max(2_000),
  notes: z.array(graphNote).max(200).default([]),
  /** Ids of the nodes a person has switched off; what is merely unwired follows from the edges. */
  parked: z.array(id).max(500).default([]),
})
export type GraphDocument = z.infer<typeof graphDocument>

export const emptyGraph: GraphDocument = { version: 1, nodes: [], edges: [], notes: [], parked: [] }
