/**
 * A summary of a drawing for its cards: what is wired to each port, and how many steps a run may take.
 * Computed once per drawing.
 */
import { entryTools } from '#lib/graph/entry-tools'
import { kindOf } from '#lib/graph/kinds'
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument, GraphNode } from '#lib/spec/graph'
import { defaultLimits } from '#lib/spec/policy'
import { describeNode } from './describe'

const summaries = new WeakMap<GraphDocument, Map<string, ReadonlyMap<string, string>>>()

/** By port, in a few words: `1 tool`, `gpt-5-mini`. An out port has the key `output out`. */
export function wiredInto(graph: GraphDocument, catalog: Catalog, node: string): ReadonlyMap<string, string> {
  let byNode = summaries.get(graph)
  if (byNode === undefined) {
    byNode = new Map()
    summaries.set(graph, byNode)
  }
  let known = byNode.get(node)
  if (known === undefined) {
    known = sumUpPorts(graph, catalog, node)
    byNode.set(node, known)
  }
  return known
}

function sumUpPorts(graph: GraphDocument, catalog: Catalog, node: string): ReadonlyMap<string, string> {
  const off = new Set(graph.parked)
  const byId = new Map(graph.nodes.map((each) => [each.id, each]))
  const ports = new Map<string, GraphNode[]>()
  const add = (port: string, id: string) => {
    const other = byId.get(id)
    if (other === undefined || off.has(id)) return
    const known = ports.get(port)
    if (known === undefined) ports.set(port, [other])
    else known.push(other)
  }
  for (const { from, to } of graph.edges) {
    if (to.node === node) add(to.port, from.node)
    if (from.node === node) add(`${from.port} out`, to.node)
  }
  return new Map([...ports].map(([port, sources]) => [port, summaryOf(sources, catalog)]))
}

function summaryOf(sources: readonly GraphNode[], catalog: Catalog): string {
  const known = new Set<string>()
  let others = 0
  for (const each of sources) {
    const tools = namesOf(each, catalog)
    for (const name of tools) known.add(name)
    if (tools.length === 0) others += 1
  }
  if (known.size > 0) return known.size + others === 1 ? '1 tool' : `${known.size + others} tools`
  const [first] = sources
  return first === undefined || sources.length > 1
    ? `${sources.length} wired`
    : describeNode(first, catalog).title
}

/** A node that an edit did not touch keeps the same object, so its globs are matched only once. */
const toolNames = new WeakMap<GraphNode, readonly string[]>()

function namesOf(node: GraphNode, catalog: Catalog): readonly string[] {
  const known = toolNames.get(node)
  if (known !== undefined) return known
  const kind = kindOf(catalog, node.kind)
  const names = kind === undefined ? [] : entryTools(node, kind, catalog).map((each) => each.name)
  toolNames.set(node, names)
  return names
}

const steps = new WeakMap<GraphDocument, number>()

/**
 * Before a run reports its limit: the smallest `max` of the step limits drawn. This is the one policy that
 * the card knows by name, for its pips.
 */
export function stepsDrawn(graph: GraphDocument): number {
  const known = steps.get(graph)
  if (known !== undefined) return known
  const off = new Set(graph.parked)
  let least = Number.POSITIVE_INFINITY
  for (const { id, kind, config } of graph.nodes) {
    if (kind === 'policy:steps' && typeof config.max === 'number' && !off.has(id))
      least = Math.min(least, config.max)
  }
  const found = Math.max(1, Math.round(Number.isFinite(least) ? least : defaultLimits.maxSteps))
  steps.set(graph, found)
  return found
}
