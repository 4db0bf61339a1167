/** Describes an edit in one sentence, for people who cannot see the canvas. Pure. */
import { describeNode } from '#components/drawing/describe'
import { isAgent, kindOf } from '#lib/graph/kinds'
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument, GraphEdge, GraphNode } from '#lib/spec/graph'

/**
 * Empty when the change is not worth announcing, such as a card moved by a few pixels or one letter typed.
 */
export function editWords(
  before: GraphDocument,
  after: GraphDocument,
  catalog: Catalog,
  /** When two neighbours swapped places, the selected one counts as moved. */
  chosen: ReadonlySet<string> = new Set(),
): string {
  if (before === after) return ''
  const was = new Map(before.nodes.map((each) => [each.id, each]))
  const is = new Map(after.nodes.map((each) => [each.id, each]))
  const titles = (nodes: readonly GraphNode[]) =>
    listNames(nodes.map((each) => describeNode(each, catalog).title))
  const added = after.nodes.filter((each) => !was.has(each.id))
  const removed = before.nodes.filter((each) => !is.has(each.id))
  if (added.length > 0) return `${titles(added)} added${wiredWords(added, after, catalog)}.`
  if (removed.length > 0) return `${titles(removed)} deleted.`
  const switched = switchWords({ before, after, is, titles })
  if (switched !== '') return switched
  const wires = wireWords({ before, after, is, catalog })
  if (wires !== '') return wires
  const moved = orderWords({ before, after, is, catalog, chosen })
  if (moved !== '') return moved
  if (after.notes.length > before.notes.length) return 'Note added.'
  if (after.notes.length < before.notes.length) return 'Note deleted.'
  if (after.look.frames.length > before.look.frames.length) return 'Frame added.'
  if (after.look.frames.length < before.look.frames.length) return 'Frame deleted.'
  return ''
}

function wiredWords(added: readonly GraphNode[], after: GraphDocument, catalog: Catalog): string {
  const [only] = added
  if (added.length !== 1 || only === undefined) return ''
  const targets = after.edges.filter(({ from }) => from.node === only.id)
  if (targets.length === 0) return isAgent(kindOf(catalog, only.kind)) ? '' : ', not wired yet'
  return ` and wired to ${listNames(targets.map(({ to }) => nameIn(after, to.node, catalog)))}`
}

interface Compared {
  readonly before: GraphDocument
  readonly after: GraphDocument
  readonly is: ReadonlyMap<string, GraphNode>
}

function switchWords({
  before,
  after,
  is,
  titles,
}: Compared & { titles(nodes: readonly GraphNode[]): string }): string {
  const [wasOff, isOff] = [new Set(before.parked), new Set(after.parked)]
  const nodes = (ids: readonly string[]) => ids.flatMap((id) => is.get(id) ?? [])
  const off = nodes(after.parked.filter((id) => !wasOff.has(id)))
  const on = nodes(before.parked.filter((id) => !isOff.has(id)))
  if (off.length > 0) return `${titles(off)} switched off.`
  return on.length > 0 ? `${titles(on)} switched on.` : ''
}

function wireWords({ before, after, catalog }: Compared & { catalog: Catalog }): string {
  const [was, is] = [new Set(before.edges.map(wireKey)), new Set(after.edges.map(wireKey))]
  const drawn = after.edges.filter((each) => !was.has(wireKey(each)))
  const gone = before.edges.filter((each) => !is.has(wireKey(each)))
  const pairs = (graph: GraphDocument, edges: readonly GraphEdge[], word: string) =>
    listNames(
      edges.map(
        ({ from, to }) => `${nameIn(graph, from.node, catalog)} ${word} ${nameIn(graph, to.node, catalog)}`,
      ),
    )
  if (drawn.length > 0) return `${pairs(after, drawn, 'wired to')}.`
  return gone.length > 0 ? `Wire removed: ${pairs(before, gone, 'to')}.` : ''
}

/** The new position of a node in its list. */
function orderWords({
  before,
  after,
  catalog,
  chosen,
}: Compared & { catalog: Catalog; chosen: ReadonlySet<string> }): string {
  const differs = (each: GraphNode, at: number) => each.id !== after.nodes[at]?.id
  const from = before.nodes.findIndex(differs)
  if (from < 0) return ''
  const to = before.nodes.findLastIndex(differs)
  // The node that moved is at one end of the changed range, before or after the edit.
  const ends = [before.nodes[from], after.nodes[from]].filter((each) => each !== undefined)
  const wentDown = before.nodes[from]?.id === after.nodes[to]?.id
  const moved = ends.find(({ id }) => chosen.has(id)) ?? (wentDown ? ends[0] : ends[1])
  if (moved === undefined) return ''
  const key = placeKey(moved, catalog)
  const peers = after.nodes.filter((each) => placeKey(each, catalog) === key)
  const place = peers.findIndex((each) => each.id === moved.id) + 1
  return `${describeNode(moved, catalog).title} is ${place} of ${peers.length} now.`
}

function placeKey({ kind }: GraphNode, catalog: Catalog): string {
  const place = kindOf(catalog, kind)?.place
  return place === undefined || place.at === 'root' ? '' : place.key
}

function wireKey({ from, to }: GraphEdge): string {
  return JSON.stringify([from.node, from.port, to.node, to.port])
}

function nameIn(graph: GraphDocument, id: string, catalog: Catalog): string {
  const node = graph.nodes.find((each) => each.id === id)
  if (node === undefined) return 'a missing node'
  return isAgent(kindOf(catalog, node.kind)) ? 'the agent' : describeNode(node, catalog).title
}

const mostNamed = 3

function listNames(names: readonly string[]): string {
  if (names.length <= mostNamed) return names.join(', ')
  return `${names.slice(0, mostNamed).join(', ')} and ${names.length - mostNamed} more`
}
