/**
 * What the drawing says about each card and port. Read once per change, so that each card's lookup takes
 * constant time.
 */
import { kindOf } from '#lib/graph/kinds'
import type { Catalog } from '#lib/spec/catalog'
import type { Diagnostic } from '#lib/spec/errors'
import type { GraphDocument, GraphNode } from '#lib/spec/graph'
import type { NodeKind } from '#lib/spec/kind'
import { worst } from './compiled'
import type { Permit, Permits } from './permits'

/** The group that a card represents or is wired to, and whether it starts switched on. */
export interface GroupFact {
  readonly name: string
  readonly isActive: boolean
}

export interface CardFacts {
  readonly kind: NodeKind | undefined
  /** The config entry it represents; absent until compiled. */
  readonly path: string | undefined
  readonly finding: Diagnostic | undefined
  /** Names of its wired ports, joined by spaces, so that equal ports give an equal string. */
  readonly filled: string
  readonly group: string | undefined
  readonly isGroupOff: boolean
  readonly isOff: boolean
  readonly isLoose: boolean
  /** A policy wired directly to the agent; it is drawn above the agent. */
  readonly coversAgent: boolean
  /** What the policies allow it; absent until the server has answered. */
  readonly permit: Permit | undefined
}

export interface FactsInput {
  readonly graph: GraphDocument
  readonly catalog: Catalog
  readonly paths: ReadonlyMap<string, string>
  readonly findings: ReadonlyMap<string, readonly Diagnostic[]>
  readonly permits: Permits
  readonly isReadOnly: boolean
}

export type FactsById = ReadonlyMap<string, CardFacts>

/** Facts that have not changed keep the same object. */
export function cardFacts(input: FactsInput, previous?: FactsById): FactsById {
  const { graph, catalog } = input
  const drawn = readDrawn(graph, catalog)
  const facts = new Map<string, CardFacts>()
  for (const node of graph.nodes) {
    const now = factsOf(node, drawn, input)
    const before = previous?.get(node.id)
    facts.set(node.id, before !== undefined && isSame(before, now) ? before : now)
  }
  return facts
}

interface Drawn {
  readonly ports: ReadonlyMap<string, ReadonlySet<string>>
  readonly groups: ReadonlyMap<string, GroupFact>
  readonly coversAgent: ReadonlySet<string>
  readonly off: ReadonlySet<string>
}

const drawnOf = new WeakMap<GraphDocument, Drawn>()

function readDrawn(graph: GraphDocument, catalog: Catalog): Drawn {
  const known = drawnOf.get(graph)
  if (known !== undefined) return known
  const ports = new Map<string, Set<string>>()
  const fill = (node: string, port: string) => {
    const filled = ports.get(node)
    if (filled === undefined) ports.set(node, new Set([port]))
    else filled.add(port)
  }
  const agents = new Set<string>()
  const groups = new Map<string, GroupFact>()
  for (const node of graph.nodes) {
    const place = kindOf(catalog, node.kind)?.place
    if (place?.at === 'root') agents.add(node.id)
    if (node.kind === 'group') groups.set(node.id, groupOf(node))
  }
  const coversAgent = new Set<string>()
  const members = new Map(groups)
  for (const { from, to } of graph.edges) {
    fill(from.node, from.port)
    fill(to.node, to.port)
    if (agents.has(to.node)) coversAgent.add(from.node)
    const group = groups.get(to.node)
    if (group !== undefined) members.set(from.node, group)
  }
  const drawn = { ports, groups: members, coversAgent, off: new Set(graph.parked) }
  drawnOf.set(graph, drawn)
  return drawn
}

function groupOf({ id, config: { name, active } }: GraphNode): GroupFact {
  return { name: typeof name === 'string' && name !== '' ? name : id, isActive: active === true }
}

/** The group that controls a wire: the group at either end. */
export function groupOfWire(
  graph: GraphDocument,
  catalog: Catalog,
): (from: string, to: string) => GroupFact | undefined {
  const { groups } = readDrawn(graph, catalog)
  return (from, to) => groups.get(from) ?? groups.get(to)
}

/** Whether a policy is wired directly to the agent, so that its card is drawn above the agent. */
export function isCovering(graph: GraphDocument, catalog: Catalog): (node: GraphNode) => boolean {
  const { coversAgent } = readDrawn(graph, catalog)
  return ({ id, kind }) => coversAgent.has(id) && kindOf(catalog, kind)?.out === 'policy'
}

function factsOf(node: GraphNode, drawn: Drawn, input: FactsInput): CardFacts {
  const kind = kindOf(input.catalog, node.kind)
  const filled = drawn.ports.get(node.id)
  const group = drawn.groups.get(node.id)
  return {
    kind,
    path: input.paths.get(node.id),
    finding: worst(input.findings.get(node.id)),
    filled: filled === undefined ? '' : [...filled].sort().join(' '),
    group: group?.name,
    isGroupOff: group?.isActive === false,
    isOff: drawn.off.has(node.id),
    isLoose: filled === undefined && !input.isReadOnly && kind?.place.at !== 'root',
    coversAgent: kind?.out === 'policy' && drawn.coversAgent.has(node.id),
    permit: input.permits.get(node.id),
  }
}

function isSame(a: CardFacts, b: CardFacts): boolean {
  return (
    a.kind === b.kind &&
    a.path === b.path &&
    a.finding === b.finding &&
    a.filled === b.filled &&
    a.group === b.group &&
    a.isGroupOff === b.isGroupOff &&
    a.isOff === b.isOff &&
    a.isLoose === b.isLoose &&
    a.coversAgent === b.coversAgent &&
    a.permit === b.permit
  )
}

/** For a card that is still rendered in the moment after its deletion. */
export const noFacts: CardFacts = {
  kind: undefined,
  path: undefined,
  finding: undefined,
  filled: '',
  group: undefined,
  isGroupOff: false,
  isOff: false,
  isLoose: false,
  coversAgent: false,
  permit: undefined,
}
