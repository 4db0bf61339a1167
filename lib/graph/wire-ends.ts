/** Where the wires of a drawing begin and end: at the ports of its cards. */
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument, GraphEdge, GraphNode } from '#lib/spec/graph'
import { isAgent, kindOf } from './kinds'
import type { Card, RoutedWire, WireEnd } from './routes'

/** The height of a row for a port on the agent's card, and the space under the last one. */
export const portRow = 24
const underPorts = 5
/** Rows that the agent's card shows even when nothing is wired to them. */
export const lastingPorts: readonly string[] = ['model', 'tools']

/** The ports in the rows of the agent's card, from top to bottom; an out port comes last. */
export function portRows(agent: GraphNode, edges: readonly GraphEdge[], catalog: Catalog): string[] {
  const kind = kindOf(catalog, agent.kind)
  const wired = new Set<string>()
  for (const { from, to } of edges) {
    if (to.node === agent.id) wired.add(to.port)
    if (from.node === agent.id) wired.add(from.port)
  }
  const ins = (kind?.in ?? []).filter(
    ({ name, accepts }) => accepts !== 'policy' && (lastingPorts.includes(name) || wired.has(name)),
  )
  const outs = kind?.out !== undefined && wired.has(kind.out) ? [kind.out] : []
  return [...ins.map(({ name }) => name), ...outs]
}

export interface WireEndsInput {
  readonly graph: GraphDocument
  readonly catalog: Catalog
  readonly cards: readonly Card[]
  idOf(edge: GraphEdge): string
}

/** The wires between cards that have a place. */
export function wireEnds({ graph, catalog, cards, idOf }: WireEndsInput): RoutedWire[] {
  const places = new Map(cards.map((card) => [card.id, card]))
  const agents = new Map(
    graph.nodes
      .filter(({ kind }) => isAgent(kindOf(catalog, kind)))
      .map((agent) => [agent.id, portRows(agent, graph.edges, catalog)]),
  )
  const policies = new Set(
    graph.nodes.filter(({ kind }) => kindOf(catalog, kind)?.out === 'policy').map(({ id }) => id),
  )
  const covering = new Set(
    graph.edges
      .filter(({ from, to }) => policies.has(from.node) && agents.has(to.node))
      .map(({ from }) => from.node),
  )
  return graph.edges.flatMap((edge): RoutedWire[] => {
    const { from, to } = edge
    const [source, target] = [places.get(from.node), places.get(to.node)]
    if (source === undefined || target === undefined) return []
    const isOver = covering.has(from.node)
    const start: WireEnd = isOver
      ? { node: from.node, side: 'bottom', x: source.x + source.width / 2, y: source.y + source.height }
      : { node: from.node, side: 'right', x: source.x + source.width, y: rowOf(source, agents, from.port) }
    const end: WireEnd =
      agents.has(to.node) && to.port === 'policies'
        ? { node: to.node, side: 'top', x: target.x + target.width / 2, y: target.y }
        : { node: to.node, side: 'left', x: target.x, y: rowOf(target, agents, to.port) }
    return [{ id: idOf(edge), from: start, to: end }]
  })
}

/** The level of a port: its row on the agent's card, the middle of any other card. */
function rowOf(card: Card, agents: ReadonlyMap<string, readonly string[]>, port: string): number {
  const rows = agents.get(card.id)
  const row = rows?.indexOf(port) ?? -1
  if (rows === undefined || row < 0) return card.y + card.height / 2
  return card.y + card.height - underPorts - (rows.length - row - 0.5) * portRow
}
