/**
 * Normalises a drawing to the form that its config gives back: no stray wires or defaults, scopes as wires.
 */
import type { Catalog } from '#lib/spec/catalog'
import { type GraphDocument, type GraphEdge, type GraphNode, mostDrawn } from '#lib/spec/graph'
import { isObject, type JsonObject } from '#lib/spec/json'
import { appliesToKey } from '#lib/spec/kind'
import { canonicalValue } from './canonical'
import { type Drawing, edgeKey, readDrawing, targetsOf } from './drawing'
import { equal } from './equal'
import { isAgent, kindOf, nameOf, portsBetween } from './kinds'
import { typedGlobs } from './scope'

export interface Normal {
  readonly graph: GraphDocument
  /** Changes that a person would want to know about, one sentence each. */
  readonly notes: string[]
}

/** Parts that are already normal keep their identity: nodes, lists and the graph itself. */
export function normalize(graph: GraphDocument, catalog: Catalog): Normal {
  const tidy = withoutStrays(graph, catalog)
  const drawing = readDrawing(tidy, catalog)
  const plain = withoutDefaults(drawing)
  const notes: string[] = []
  const scoped = drawScopes(plain === tidy ? drawing : readDrawing(plain, catalog), notes)
  return { graph: scoped, notes }
}

/** Drops wires without an end, duplicate wires, and ids in `parked` of no node or of the agent. */
function withoutStrays(graph: GraphDocument, catalog: Catalog): GraphDocument {
  const kinds = new Map(graph.nodes.map((node) => [node.id, node.kind]))
  const seen = new Set<string>()
  const edges = graph.edges.filter((edge) => {
    const key = edgeKey(edge)
    if (!kinds.has(edge.from.node) || !kinds.has(edge.to.node) || seen.has(key)) return false
    seen.add(key)
    return true
  })
  const parked = [...new Set(graph.parked)].filter((id) => {
    const kind = kinds.get(id)
    return kind !== undefined && !isAgent(kindOf(catalog, kind))
  })
  if (edges.length === graph.edges.length && parked.length === graph.parked.length) return graph
  return {
    ...graph,
    edges: edges.length === graph.edges.length ? graph.edges : edges,
    parked: parked.length === graph.parked.length ? graph.parked : parked,
  }
}

/** Parked nodes keep their config unchanged. */
function withoutDefaults({ graph, live, catalog }: Drawing): GraphDocument {
  const nodes = graph.nodes.map((node) => {
    const kind = kindOf(catalog, node.kind)
    if (kind === undefined || !live.has(node.id)) return node
    const config = canonicalValue(node.config, kind.schema, kind.schema)
    return equal(config, node.config) || !isObject(config) ? node : { ...node, config }
  })
  return nodes.every((node, index) => node === graph.nodes[index]) ? graph : { ...graph, nodes }
}

interface ScopeChange {
  readonly configs: Map<string, JsonObject>
  readonly removed: Set<string>
  readonly added: GraphEdge[]
}

function drawScopes(drawing: Drawing, notes: string[]): GraphDocument {
  const { graph, catalog, live } = drawing
  const change: ScopeChange = { configs: new Map(), removed: new Set(), added: [] }
  for (const node of graph.nodes) {
    if (!live.has(node.id) || kindOf(catalog, node.kind)?.scoped !== true) continue
    const { agent, entries } = targetsOf(drawing, node.id)
    const wired = entries.flatMap((entry) => drawing.toolIndex.get(entry) ?? [])
    // With one wire more than the limit, the drawing could not be read again.
    const room = mostDrawn.edges - graph.edges.length - change.added.length
    if (agent && entries.length === 0) drawTyped(drawing, { node, change, notes, room })
    if (!agent && entries.length > 0) completeWires(drawing, { node, change, notes, room, wired })
  }
  return applyScopeChange(graph, change)
}

interface ScopeStep {
  readonly node: GraphNode
  readonly change: ScopeChange
  readonly notes: string[]
  /** How many wires may still be added. */
  readonly room: number
}

/** Replaces typed globs by wires to the entries with these globs, if that is possible. */
function drawTyped(drawing: Drawing, { node, change, notes, room }: ScopeStep): void {
  const globs = typedGlobs(node.config)
  const drawn = globs === undefined ? undefined : drawing.scopes.drawn(globs)
  if (drawn === undefined || drawn.length > room) return
  const { catalog } = drawing
  const entries = drawn.flatMap((index) => drawing.toolEntries[index] ?? [])
  const agent = drawing.agents[0]
  for (const wire of drawing.wiresFrom.get(node.id) ?? []) {
    if (wire.to.node === agent?.id) change.removed.add(edgeKey(wire))
  }
  change.configs.set(node.id, withoutGlobs(node.config))
  for (const entry of entries) change.added.push(...edgeTo(node, entry, catalog))
  notes.push(
    `${nameOf(catalog, node)} names exactly the tools of ${namesOf(entries, drawing)}, so it is wired there now.`,
  )
}

/** Wires a policy to every further entry whose globs it already covers. */
function completeWires(drawing: Drawing, step: ScopeStep & { readonly wired: readonly number[] }): void {
  const { node, change, notes, room, wired } = step
  const { catalog, scopes, toolEntries } = drawing
  const has = new Set(wired)
  const globs = scopes.union(has)
  const missing = scopes.covered(globs).filter((index) => !has.has(index))
  if (missing.length > room) return
  const entries = missing.flatMap((index) => toolEntries[index] ?? [])
  for (const entry of entries) change.added.push(...edgeTo(node, entry, catalog))
  if (entries.length > 0) {
    notes.push(
      `${nameOf(catalog, node)} covers all tools of ${namesOf(entries, drawing)} as well, so it is wired there too.`,
    )
  }
  const typed = typedGlobs(node.config)
  if (typed !== undefined && equal(typed, scopes.union([...has, ...missing]))) {
    change.configs.set(node.id, withoutGlobs(node.config))
  }
}

function applyScopeChange(graph: GraphDocument, { configs, removed, added }: ScopeChange): GraphDocument {
  if (configs.size === 0 && removed.size === 0 && added.length === 0) return graph
  const kept = removed.size === 0 ? graph.edges : graph.edges.filter((edge) => !removed.has(edgeKey(edge)))
  return {
    ...graph,
    nodes:
      configs.size === 0
        ? graph.nodes
        : graph.nodes.map((node) => {
            const config = configs.get(node.id)
            return config === undefined ? node : { ...node, config }
          }),
    edges: added.length === 0 ? kept : [...kept, ...added],
  }
}

function withoutGlobs(config: JsonObject): JsonObject {
  const { [appliesToKey]: globs, ...rest } = config
  return rest
}

function edgeTo(from: GraphNode, to: GraphNode, catalog: Catalog): GraphEdge[] {
  const ports = portsBetween(catalog, from.kind, to.kind)
  if (ports === undefined) return []
  return [{ from: { node: from.id, port: ports.from }, to: { node: to.id, port: ports.to } }]
}

function namesOf(nodes: readonly GraphNode[], { catalog, paths }: Drawing): string {
  return nodes.map((node) => `${nameOf(catalog, node)} (${paths.get(node.id)})`).join(', ')
}
