/**
 * Inserts a part dropped on a wire: between the two ends or, for a policy, over the tools at its beginning.
 */
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument, GraphEdge, GraphNode } from '#lib/spec/graph'
import { kindsFit } from './connect'
import { edgeKey } from './drawing'
import { type Edited, leaveUnchanged } from './edit/edited'
import { addNode, type NewNode } from './edit/nodes'
import { connect, disconnect } from './edit/wires'
import { isAgent, kindOf, nameOf, portsBetween } from './kinds'

type Candidate = Pick<GraphNode, 'kind' | 'config'>

/** What a drop on the wire would do; a refusal gives its reason in one line. */
export type Insertion =
  | { readonly ok: true; readonly as: 'between' | 'over'; readonly wires: readonly Ends[] }
  | { readonly ok: false; readonly reason: string }

/** A wire without its inserted node: the other end, and both ports. */
interface Ends {
  readonly into: boolean
  readonly other: string
  readonly from: string
  readonly to: string
}

export function insertion(
  graph: GraphDocument,
  catalog: Catalog,
  { wire, part }: { wire: GraphEdge; part: Candidate },
): Insertion {
  const source = graph.nodes.find((each) => each.id === wire.from.node)
  const target = graph.nodes.find((each) => each.id === wire.to.node)
  if (source === undefined || target === undefined)
    return { ok: false, reason: 'That wire is no longer on the canvas.' }
  if (isAgent(kindOf(catalog, part.kind))) {
    return { ok: false, reason: 'The agent is at the end of wires, never between two nodes.' }
  }
  const before = joint(catalog, source, part)
  const after = joint(catalog, part, target)
  if (before !== undefined && after !== undefined) {
    const wires = [
      { into: false, other: target.id, ...after },
      { into: true, other: source.id, ...before },
    ]
    return { ok: true, as: 'between', wires }
  }
  const over = joint(catalog, part, source)
  if (over !== undefined) return { ok: true, as: 'over', wires: [{ into: false, other: source.id, ...over }] }
  return { ok: false, reason: whyNot(catalog, { source, target, part }) }
}

function joint(
  catalog: Catalog,
  source: Candidate,
  target: Candidate,
): { from: string; to: string } | undefined {
  const ports = portsBetween(catalog, source.kind, target.kind)
  return ports !== undefined && kindsFit(catalog, { source, target, ...ports }).ok ? ports : undefined
}

function whyNot(
  catalog: Catalog,
  { source, target, part }: { source: GraphNode; target: GraphNode; part: Candidate },
): string {
  const kind = kindOf(catalog, part.kind)
  if (kind?.out === 'policy' && kind.scoped !== true)
    return `${kind.label} always covers the whole run: wire it to the agent.`
  return `${nameOf(catalog, part)} does not go between ${nameOf(catalog, source)} and ${nameOf(catalog, target)}.`
}

/** Inserts a node that is already on the canvas, unwired, into a wire. */
export function insertNode(
  graph: GraphDocument,
  { wire, node }: { wire: GraphEdge; node: string },
  catalog: Catalog,
): Edited {
  const part = graph.nodes.find((each) => each.id === node)
  const key = edgeKey(wire)
  const drawn = graph.edges.find((each) => edgeKey(each) === key)
  if (part === undefined || drawn === undefined || drawn.from.node === node || drawn.to.node === node)
    return leaveUnchanged(graph)
  const found = insertion(graph, catalog, { wire: drawn, part })
  if (!found.ok) return leaveUnchanged(graph, found.reason)
  let edited = found.as === 'between' ? disconnect(graph, [drawn], catalog) : leaveUnchanged(graph)
  const said: string[] = []
  for (const { into, other, from, to } of found.wires) {
    const [source, target] = into ? [other, node] : [node, other]
    edited = connect(edited.graph, { node: source, port: from }, { node: target, port: to }, catalog)
    said.push(...edited.notes)
  }
  return { graph: edited.graph, notes: said, added: [] }
}

/** Adds a node and inserts it into a wire; its id is the first of `added`. */
export function insertNew(
  graph: GraphDocument,
  { wire, part }: { wire: GraphEdge; part: NewNode },
  catalog: Catalog,
): Edited {
  const added = addNode(graph, { ...part, wire: false }, catalog)
  const [id] = added.added
  if (id === undefined) return added
  const put = insertNode(added.graph, { wire, node: id }, catalog)
  return { graph: put.graph, notes: [...added.notes, ...put.notes], added: [id] }
}
