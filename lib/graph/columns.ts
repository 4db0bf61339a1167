/** Arranges nodes in columns next to the agent: which nodes, in which order, and what each is attached to. */
import type { GraphNode } from '#lib/spec/graph'
import type { Drawing } from './drawing'
import { kindOf, outPort } from './kinds'

export interface Columns {
  /** The nodes left of the agent, the agent, and the nodes right of it; each column from top to bottom. */
  readonly nodes: readonly GraphNode[]
  /** From a node to the node it is attached to, by id. */
  readonly links: readonly (readonly [from: string, to: string])[]
  /** Policies wired to the agent alone, which are placed above it. */
  readonly above: readonly GraphNode[]
}

interface Rank {
  readonly node: GraphNode
  /**
   * Port, then position among the nodes. For nodes wired to entries: the middle of these entries' positions.
   */
  readonly first: number
  readonly second: number
}

export function columnsOf(drawing: Drawing, agent: GraphNode): Columns {
  const given = new Set((drawing.wiresFrom.get(agent.id) ?? []).map(({ to }) => to.node))
  const all = [...drawing.byId.values()].filter((node) => node !== agent && drawing.live.has(node.id))
  const after = all.filter(({ id }) => given.has(id))
  const live = all.filter(({ id }) => !given.has(id))
  const links = new Map(live.map((node) => [node.id, attachedTo(drawing, node, agent)]))
  const isDirect = (node: GraphNode) => links.get(node.id)?.includes(agent.id) === true
  const isPolicy = (node: GraphNode) => outPort(drawing.catalog, node.kind) === 'policy'
  const above = live.filter((node) => isDirect(node) && isPolicy(node))
  const direct = inPortOrder(
    drawing,
    live.filter((node) => isDirect(node) && !isPolicy(node)),
    agent,
  )
  const place = new Map(direct.map((node, index) => [node.id, index]))
  const outer = live
    .filter((node) => !isDirect(node))
    .map((node, second): Rank => ({ node, first: middle(links.get(node.id) ?? [], place), second }))
  const before = [...byRank(outer), ...direct]
  return {
    nodes: [...before, agent, ...after],
    above,
    links: [
      ...before.flatMap(({ id }) => (links.get(id) ?? []).map((to) => [id, to] as const)),
      ...after.map(({ id }) => [agent.id, id] as const),
    ],
  }
}

/** The live nodes that a node is wired to. A policy wired to entries is attached only to those. */
function attachedTo({ wiresFrom, live }: Drawing, node: GraphNode, agent: GraphNode): string[] {
  const targets = (wiresFrom.get(node.id) ?? []).map((wire) => wire.to.node).filter((id) => live.has(id))
  const entries = targets.filter((id) => id !== agent.id)
  return entries.length > 0 ? entries : targets
}

function inPortOrder({ catalog }: Drawing, nodes: readonly GraphNode[], agent: GraphNode): GraphNode[] {
  const accepted = kindOf(catalog, agent.kind)?.in ?? []
  const ports = new Map<string, number>(accepted.map((port, index) => [port.accepts, index]))
  return byRank(
    nodes.map(
      (node, second): Rank => ({ node, first: ports.get(outPort(catalog, node.kind) ?? '') ?? 0, second }),
    ),
  )
}

function middle(targets: readonly string[], place: ReadonlyMap<string, number>): number {
  const places = targets.map((id) => place.get(id) ?? 0)
  return places.reduce((sum, each) => sum + each, 0) / Math.max(1, places.length)
}

function byRank(ranks: readonly Rank[]): GraphNode[] {
  return ranks.toSorted((a, b) => a.first - b.first || a.second - b.second).map(({ node }) => node)
}
