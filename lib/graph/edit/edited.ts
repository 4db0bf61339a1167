/** The result of every edit, and what edits share: new ids, and normalising the graph afterwards. */
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument } from '#lib/spec/graph'
import { readDrawing } from '../drawing'
import { nameOf } from '../kinds'
import { normalize } from '../normalize'

/** One edit is one undo entry. An edit that changes nothing returns the same graph. */
export interface Edited {
  readonly graph: GraphDocument
  /** Sentences for a person: what was refused, or changed in addition. */
  readonly notes: readonly string[]
  /** Ids of the nodes and notes that the edit added, in order. */
  readonly added: readonly string[]
}

export function leaveUnchanged(graph: GraphDocument, ...notes: string[]): Edited {
  return { graph, notes, added: [] }
}

/** Ends an edit of nodes or wires: normalises the graph and reports policies that are no longer wired. */
export function finishEdit(
  before: GraphDocument,
  after: GraphDocument,
  catalog: Catalog,
  notes: readonly string[] = [],
): Edited {
  if (after === before) return leaveUnchanged(before, ...notes)
  const normal = normalize(after, catalog)
  const graph = keepUnchanged(before, normal.graph)
  return {
    graph,
    notes: [...notes, ...normal.notes, ...unwiredNotes(before, graph, catalog)],
    added: [],
  }
}

/** A node that ends up unchanged (patterns typed, then drawn at once) keeps its old object. */
function keepUnchanged(before: GraphDocument, after: GraphDocument): GraphDocument {
  const known = new Map(before.nodes.map((node) => [node.id, node]))
  const nodes = after.nodes.map((node) => {
    const old = known.get(node.id)
    // Compared as text, since the order of keys that a person chose counts.
    const isSame = old !== undefined && old !== node && JSON.stringify(old) === JSON.stringify(node)
    return isSame ? old : node
  })
  return nodes.every((node, index) => node === after.nodes[index]) ? after : { ...after, nodes }
}

/** Reports policies that were live and are now unwired; otherwise they would stop working without notice. */
function unwiredNotes(before: GraphDocument, after: GraphDocument, catalog: Catalog): string[] {
  const held = readDrawing(before, catalog).live
  return readDrawing(after, catalog)
    .parked.filter(({ node, why }) => why === 'unwired' && held.has(node.id))
    .map(({ node }) => `${nameOf(catalog, node)} is no longer wired to the agent, so it does nothing now.`)
}

/** Makes unique ids `<stem>_<n>` that are not in the graph. */
export function idMaker(graph: GraphDocument): (kind: string, wanted?: string) => string {
  const taken = new Set([...graph.nodes, ...graph.notes, ...graph.look.frames].map((each) => each.id))
  const counters = new Map<string, number>()
  return (kind, wanted) => {
    if (wanted !== undefined && wanted !== '' && !taken.has(wanted)) {
      taken.add(wanted)
      return wanted
    }
    const stem = kind.slice(kind.indexOf(':') + 1).slice(0, 48) || 'node'
    let n = counters.get(stem) ?? 1
    while (taken.has(`${stem}_${n}`)) n += 1
    counters.set(stem, n + 1)
    const id = `${stem}_${n}`
    taken.add(id)
    return id
  }
}

export function whole({ x, y }: { readonly x: number; readonly y: number }): { x: number; y: number } {
  return { x: Math.round(x), y: Math.round(y) }
}

export function pair([x, y]: readonly [number, number]): [number, number] {
  return [Math.round(x), Math.round(y)]
}

/** Returns the same list when nothing is removed. */
export function keepItems<T>(items: T[], keep: (item: T) => boolean): T[] {
  const rest = items.filter(keep)
  return rest.length === items.length ? items : rest
}
