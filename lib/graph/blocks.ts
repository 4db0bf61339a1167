/**
 * Arranges the sources of an agent as blocks: a card together with what is wired to it, in a fixed order.
 */
import type { GraphNode } from '#lib/spec/graph'
import { addTo } from '#lib/spec/lists'
import { type Drawing, targetsOf } from './drawing'
import { kindOf, outPort } from './kinds'

/** A card and, on its left, the blocks of the nodes that are wired to it. */
export interface CardBlock {
  readonly node: GraphNode
  /** Blocks of one group belong together: tools of one kind whose names begin alike. */
  readonly group: string
  readonly sources: CardBlock[]
}

export interface Blocks {
  /** What is wired to the agent from its left, in the order of the agent's ports. */
  readonly before: readonly CardBlock[]
  /** Policies wired to the agent alone, which are placed above it. */
  readonly above: readonly GraphNode[]
  /** The nodes that the agent is wired to. */
  readonly after: readonly GraphNode[]
}

export function blocksOf(drawing: Drawing, agent: GraphNode): Blocks {
  const given = new Set((drawing.wiresFrom.get(agent.id) ?? []).map(({ to }) => to.node))
  const all = inOrder(
    [...drawing.byId.values()].filter((node) => node !== agent && drawing.live.has(node.id)),
  )
  const after = all.filter(({ id }) => given.has(id))
  const blocks = new Map(
    all
      .filter(({ id }) => !given.has(id))
      .map((node): [string, CardBlock] => [node.id, { node, group: groupOf(node), sources: [] }]),
  )
  const before: CardBlock[] = []
  const above: GraphNode[] = []
  const homes = new Map<CardBlock, CardBlock>()
  for (const block of blocks.values()) {
    const home = homeOf(drawing, block.node, blocks)
    if (home !== undefined && !isInside(home, block, homes)) {
      home.sources.push(block)
      homes.set(block, home)
    } else if (outPort(drawing.catalog, block.node.kind) === 'policy') above.push(block.node)
    else before.push(block)
  }
  return { before: inPortOrder(drawing, byGroup(before), agent), above, after }
}

/**
 * The entry that a node is placed next to: of those it is wired to, the one with the fewest sources, so that
 * policies of many tools are spread over them.
 */
function homeOf(
  drawing: Drawing,
  node: GraphNode,
  blocks: ReadonlyMap<string, CardBlock>,
): CardBlock | undefined {
  const { entries } = targetsOf(drawing, node.id)
  const targets = inOrder(entries.filter(({ id }) => id !== node.id)).flatMap(
    ({ id }) => blocks.get(id) ?? [],
  )
  return targets.reduce<CardBlock | undefined>(
    (best, each) => (best === undefined || each.sources.length < best.sources.length ? each : best),
    undefined,
  )
}

/** Whether one block is the other or belongs to it. Only nodes of unknown kinds can be wired in a circle. */
function isInside(
  block: CardBlock | undefined,
  other: CardBlock,
  homes: ReadonlyMap<CardBlock, CardBlock>,
): boolean {
  return block !== undefined && (block === other || isInside(homes.get(block), other, homes))
}

/** By id, with numbers in ids as numbers. The order in which nodes were added does not count. */
export function inOrder(nodes: readonly GraphNode[]): GraphNode[] {
  return nodes.toSorted((a, b) => compareIds(a.id, b.id))
}

function compareIds(a: string, b: string): number {
  const [first, second] = [a.match(/\d+|\D+/g) ?? [], b.match(/\d+|\D+/g) ?? []]
  for (const [index, part] of first.entries()) {
    const other = second[index]
    if (other === undefined) return 1
    if (part === other) continue
    const difference = Number(part) - Number(other)
    if (difference !== 0 && !Number.isNaN(difference)) return difference
    return part < other ? -1 : 1
  }
  return first.length - second.length
}

/** The kind, and the first part of its name or of its first tool: `files` of `files.create`. */
function groupOf({ kind, config: { name, tools } }: GraphNode): string {
  const [first] = Array.isArray(tools) ? tools : []
  const called = typeof name === 'string' ? name : typeof first === 'string' ? first : ''
  const [stem = ''] = called.split(/[._*]/, 1)
  return `${kind} ${stem}`
}

/** The groups in the order of their first blocks. */
function byGroup(blocks: readonly CardBlock[]): CardBlock[] {
  const groups = new Map<string, CardBlock[]>()
  for (const block of blocks) {
    addTo(groups, block.group, block)
  }
  return [...groups.values()].flat()
}

function inPortOrder({ catalog }: Drawing, blocks: readonly CardBlock[], agent: GraphNode): CardBlock[] {
  const accepted = kindOf(catalog, agent.kind)?.in ?? []
  const ports = new Map<string, number>(accepted.map((port, index) => [port.accepts, index]))
  const portOf = ({ node }: CardBlock) => ports.get(outPort(catalog, node.kind) ?? '') ?? 0
  return blocks.toSorted((a, b) => portOf(a) - portOf(b))
}
