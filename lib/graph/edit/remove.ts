/** Removes nodes, wires, notes and frames in one edit. */
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument, GraphEdge } from '#lib/spec/graph'
import { edgeKey } from '../drawing'
import { type Edited, finishEdit, keepItems } from './edited'

/** What to remove in one edit. */
export interface Removal {
  readonly nodes?: readonly string[]
  readonly edges?: readonly GraphEdge[]
  readonly notes?: readonly string[]
  /** The contents of a frame are kept. */
  readonly frames?: readonly string[]
}

export function remove(graph: GraphDocument, selection: Removal, catalog: Catalog): Edited {
  const nodes = new Set(selection.nodes)
  const notes = new Set(selection.notes)
  const frames = new Set(selection.frames)
  const wires = new Set((selection.edges ?? []).map(edgeKey))
  const left = keepItems(graph.look.frames, (frame) => !frames.has(frame.id))
  const after: GraphDocument = {
    ...graph,
    nodes: keepItems(graph.nodes, (node) => !nodes.has(node.id)),
    edges: keepItems(
      graph.edges,
      (edge) => !wires.has(edgeKey(edge)) && !nodes.has(edge.from.node) && !nodes.has(edge.to.node),
    ),
    notes: keepItems(graph.notes, (note) => !notes.has(note.id)),
    parked: keepItems(graph.parked, (id) => !nodes.has(id)),
    look: left === graph.look.frames ? graph.look : { ...graph.look, frames: left },
  }
  const same =
    after.nodes === graph.nodes &&
    after.edges === graph.edges &&
    after.notes === graph.notes &&
    after.look === graph.look
  return finishEdit(graph, same ? graph : after, catalog)
}

export function removeNodes(graph: GraphDocument, ids: readonly string[], catalog: Catalog): Edited {
  return remove(graph, { nodes: ids }, catalog)
}
