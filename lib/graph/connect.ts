/** Decides whether a wire may be drawn, and explains in one plain sentence why not. */
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument, GraphEdge, GraphNode } from '#lib/spec/graph'
import { isAgent, kindOf, nameOf, outPort, portsBetween } from './kinds'

export type End = GraphEdge['from']
export type WireFit = { readonly ok: true } | { readonly ok: false; readonly reason: string }

/**
 * `from` is an out port, `to` an in port. A port that takes one wire and has one still fits: the new wire
 * replaces the old one. In the same way, a policy's wire to an entry replaces its wire to the agent, and the
 * other way round; a tool has one wire, to the agent or to a group.
 */
export function fits(graph: GraphDocument, catalog: Catalog, from: End, to: End): WireFit {
  const source = graph.nodes.find((node) => node.id === from.node)
  const target = graph.nodes.find((node) => node.id === to.node)
  if (source === undefined || target === undefined) return refuseWire('That node is no longer on the canvas.')
  if (source === target) return refuseWire('A node cannot be wired to itself.')
  const isWired = graph.edges.some((edge) => isSame(edge.from, from) && isSame(edge.to, to))
  return kindsFit(catalog, { source, target, from: from.port, to: to.port, isWired })
}

/** Two nodes, existing or possible, and the ports that a wire between them would join. */
export interface Joint {
  readonly source: Pick<GraphNode, 'kind' | 'config'>
  readonly target: Pick<GraphNode, 'kind' | 'config'>
  readonly from: string
  readonly to: string
  readonly isWired?: boolean
}

/** Like `fits`, for callers that know both ends and check many wires. */
export function kindsFit(catalog: Catalog, { source, target, from, to, isWired }: Joint): WireFit {
  const out = outPort(catalog, source.kind)
  if (out === undefined)
    return refuseWire(`${capital(nameOf(catalog, source))} has no output: wires end there.`)
  const ports = portsBetween(catalog, source.kind, target.kind)
  if (ports === undefined || ports.from !== from || ports.to !== to) {
    return refuseWire(`${capital(withArticle(out))} goes into ${placesFor(out, catalog)}.`)
  }
  const kind = kindOf(catalog, source.kind)
  const isOverEntry = ports.from === 'policy' && !isAgent(kindOf(catalog, target.kind))
  if (kind !== undefined && kind.scoped !== true && isOverEntry) {
    return refuseWire(`${kind.label} always covers the whole run: wire it to the agent.`)
  }
  return isWired === true ? refuseWire('These two are wired already.') : { ok: true }
}

/** The wires that a new wire replaces. */
export function displacedBy(graph: GraphDocument, catalog: Catalog, edge: GraphEdge): GraphEdge[] {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]))
  const target = nodes.get(edge.to.node)
  if (target === undefined) return []
  const off = new Set(graph.parked)
  // The agent's out port has one wire.
  if (isAgent(kindOf(catalog, nodes.get(edge.from.node)?.kind ?? '')))
    return graph.edges.filter(({ from, to }) => isSame(from, edge.from) && !off.has(to.node))
  const kind = kindOf(catalog, target.kind)
  const port = kind?.in.find((each) => each.name === edge.to.port)
  return graph.edges.filter((other) => {
    if (other.to.node === target.id && other.to.port === edge.to.port && port?.many === false)
      return !off.has(other.from.node)
    if (other.from.node !== edge.from.node) return false
    return edge.from.port === 'tool' || wiresElsewhere(nodes.get(other.to.node), target, catalog)
  })
}

/** A policy has wires to the agent or to entries, never to both. */
function wiresElsewhere(other: GraphNode | undefined, target: GraphNode, catalog: Catalog): boolean {
  return other !== undefined && isAgent(kindOf(catalog, other.kind)) !== isAgent(kindOf(catalog, target.kind))
}

function isSame(a: End, b: End): boolean {
  return a.node === b.node && a.port === b.port
}

function placesFor(out: string, catalog: Catalog): string {
  const takers = catalog.kinds.filter((kind) => kind.in.some((port) => port.accepts === out))
  const port = takers[0]?.in.find((each) => each.accepts === out)?.name ?? out
  const places = new Set(
    takers.map((kind) => (isAgent(kind) ? 'the agent' : withArticle(kind.out ?? kind.label.toLowerCase()))),
  )
  return `the port “${port}” of ${[...places].join(' or ')}`
}

function withArticle(word: string): string {
  return `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}`
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

function refuseWire(reason: string): WireFit {
  return { ok: false, reason }
}
