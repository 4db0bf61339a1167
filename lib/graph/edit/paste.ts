/** Copy, paste and duplicate: a part of a drawing as JSON, and its way back in under fresh ids. */
import { z } from 'zod'
import type { Catalog } from '#lib/spec/catalog'
import { type GraphDocument, type GraphNode, graphEdge, graphNode, graphNote } from '#lib/spec/graph'
import { isAgent, kindOf } from '../kinds'
import { type Edited, finished, idMaker, unchanged } from './edited'

/** What stands on the clipboard, as JSON. */
export const clip = z.strictObject({
  loopwright: z.literal('clip'),
  nodes: z.array(graphNode).max(500),
  edges: z.array(graphEdge).max(2_000),
  notes: z.array(graphNote).max(200),
  parked: z.array(z.string()).max(500),
})
export type Clip = z.infer<typeof clip>

/** The chosen nodes and notes, with the wires among them. */
export function copyNodes(graph: GraphDocument, ids: readonly string[]): Clip {
  const chosen = new Set(ids)
  return {
    loopwright: 'clip',
    nodes: graph.nodes.filter((node) => chosen.has(node.id)),
    edges: graph.edges.filter((edge) => chosen.has(edge.from.node) && chosen.has(edge.to.node)),
    notes: graph.notes.filter((note) => chosen.has(note.id)),
    parked: graph.parked.filter((id) => chosen.has(id)),
  }
}

/** Puts a clip in, moved by `by`, under fresh ids. Of a clip with an agent, the agent stays out when the drawing has one. */
export function paste(
  graph: GraphDocument,
  content: Clip,
  by: { readonly x: number; readonly y: number },
  catalog: Catalog,
): Edited {
  const taken = graph.nodes.some((node) => isAgent(kindOf(catalog, node.kind)))
  const makeId = idMaker(graph)
  const ids = new Map<string, string>()
  let agents = 0
  const nodes = content.nodes.flatMap((node): GraphNode[] => {
    if (isAgent(kindOf(catalog, node.kind))) {
      agents += 1
      if (taken || agents > 1) return []
    }
    const id = makeId(node.kind)
    ids.set(node.id, id)
    const at = node.at && { x: Math.round(node.at.x + by.x), y: Math.round(node.at.y + by.y) }
    return [{ ...node, id, config: structuredClone(node.config), ...(at === undefined ? {} : { at }) }]
  })
  const edges = content.edges.flatMap((edge) => {
    const from = ids.get(edge.from.node)
    const to = ids.get(edge.to.node)
    return from === undefined || to === undefined
      ? []
      : [{ from: { ...edge.from, node: from }, to: { ...edge.to, node: to } }]
  })
  const notes = content.notes.map((note) => {
    const at: [number, number] = [Math.round(note.at[0] + by.x), Math.round(note.at[1] + by.y)]
    return { ...note, id: makeId('note'), at }
  })
  const parked = content.parked.flatMap((id) => ids.get(id) ?? [])
  const added = [...ids.values(), ...notes.map((note) => note.id)]
  const left = agents > 0 && taken ? ['The agent was left out: a drawing holds one.'] : []
  if (added.length === 0) return unchanged(graph, ...left)
  const after: GraphDocument = {
    ...graph,
    nodes: [...graph.nodes, ...nodes],
    edges: [...graph.edges, ...edges],
    notes: [...graph.notes, ...notes],
    parked: [...graph.parked, ...parked],
  }
  return { ...finished(graph, after, catalog, left), added }
}

/** Copies beside their originals, with the wires among them; what leaves the copies is not wired again. */
export function duplicateNodes(graph: GraphDocument, ids: readonly string[], catalog: Catalog): Edited {
  return paste(graph, copyNodes(graph, ids), { x: 32, y: 32 }, catalog)
}
