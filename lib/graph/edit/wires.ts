/** Edits of wires: connect and disconnect. */
import type { Catalog } from '#lib/spec/catalog'
import { type GraphDocument, type GraphEdge, type GraphNode, mostDrawn } from '#lib/spec/graph'
import { appliesToKey } from '#lib/spec/kind'
import { displacedBy, type End, fits } from '../connect'
import { entryTools } from '../entry-tools'
import { isAgent, kindOf, nameOf } from '../kinds'
import { type Edited, finishEdit, leaveUnchanged } from './edited'
import { remove } from './remove'

/** Draws a wire, or explains why not. Wires that it replaces are removed, with a note. */
export function connect(graph: GraphDocument, from: End, to: End, catalog: Catalog): Edited {
  const edge: GraphEdge = { from, to }
  const fit = fits(graph, catalog, from, to)
  if (!fit.ok) return leaveUnchanged(graph, fit.reason)
  const gone = new Set(displacedBy(graph, catalog, edge))
  const byId = new Map(graph.nodes.map((node) => [node.id, node]))
  const source = byId.get(from.node)
  const target = byId.get(to.node)
  const notes = [...gone].map((wire) => {
    const names = [wire.from.node, wire.to.node].map((id) => nameOfId(byId.get(id), catalog))
    return `The wire from ${names.join(' to ')} was replaced by the new one.`
  })
  const typed = source?.config[appliesToKey] !== undefined && !isAgent(target && kindOf(catalog, target.kind))
  if (typed)
    notes.push(`${nameOfId(source, catalog)} takes its scope from its wires now; “Applies to” was cleared.`)
  const after: GraphDocument = {
    ...graph,
    nodes: typed ? graph.nodes.map((node) => (node === source ? withoutGlobs(node) : node)) : graph.nodes,
    edges: [...graph.edges.filter((each) => !gone.has(each)), edge],
  }
  const most = mostDrawn.edges
  if (after.edges.length > most)
    return leaveUnchanged(graph, `A drawing holds at most ${most.toLocaleString('en')} wires.`)
  return finishEdit(graph, after, catalog, notes)
}

export function disconnect(graph: GraphDocument, edges: readonly GraphEdge[], catalog: Catalog): Edited {
  return remove(graph, { edges }, catalog)
}

function withoutGlobs(node: GraphNode): GraphNode {
  const { [appliesToKey]: globs, ...config } = node.config
  return { ...node, config }
}

/** As on its card: a part with one tool is called by the name of that tool. */
function nameOfId(node: GraphNode | undefined, catalog: Catalog): string {
  if (node === undefined) return 'a missing node'
  const kind = kindOf(catalog, node.kind)
  const [only, ...others] = kind === undefined ? [] : entryTools(node, kind, catalog)
  return only !== undefined && others.length === 0 ? only.name : nameOf(catalog, node)
}
