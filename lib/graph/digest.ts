/** Makes the digest of a drawing: its parts and wires in small, and how many of them it has. */
import type { Catalog } from '#lib/spec/catalog'
import { type GraphDigest, mostInDigest } from '#lib/spec/digest'
import type { GraphDocument, GraphNode } from '#lib/spec/graph'
import type { JsonValue } from '#lib/spec/json'
import { entryTools } from './entry-tools'
import { isAgent, kindOf } from './kinds'
import { layout } from './layout'

export function digestOf(graph: GraphDocument, catalog: Catalog): GraphDigest {
  const shown = digestNodes(graph, catalog)
  const places = new Map(shown.map((node, index) => [node.id, index]))
  const wires = graph.edges.flatMap(({ from, to }): [number, number][] => {
    const [start, end] = [places.get(from.node), places.get(to.node)]
    return start === undefined || end === undefined ? [] : [[start, end]]
  })
  const laid = shown.some(({ at }) => at === undefined) ? placesOf(graph, shown, catalog) : undefined
  return {
    nodes: shown.map(({ id, kind, at }) => {
      const { x, y } = at ?? laid?.get(id) ?? { x: 0, y: 0 }
      return { kind: kind.slice(0, 200), x: Math.round(x), y: Math.round(y) }
    }),
    wires: wires.slice(0, mostInDigest.wires),
    ...countsOf(graph, catalog),
    model: modelOf(graph, catalog),
  }
}

/** The first parts of the drawing, always including the agent. */
function digestNodes({ nodes }: GraphDocument, catalog: Catalog): readonly GraphNode[] {
  if (nodes.length <= mostInDigest.nodes) return nodes
  const agent = nodes.find(({ kind }) => isAgent(kindOf(catalog, kind)))
  const rest = nodes.filter((node) => node !== agent)
  return [...(agent === undefined ? [] : [agent]), ...rest].slice(0, mostInDigest.nodes)
}

/** Lays out only the parts that are shown, so that a large drawing without positions costs little. */
function placesOf(graph: GraphDocument, shown: readonly GraphNode[], catalog: Catalog) {
  const ids = new Set(shown.map(({ id }) => id))
  const edges = graph.edges.filter(({ from, to }) => ids.has(from.node) && ids.has(to.node))
  return layout({ ...graph, nodes: [...shown], edges }, catalog)
}

function countsOf(graph: GraphDocument, catalog: Catalog): Pick<GraphDigest, 'tools' | 'policies'> {
  const off = new Set(graph.parked)
  const wired = new Set(graph.edges.map((each) => each.from.node))
  let tools = 0
  let policies = 0
  for (const node of graph.nodes) {
    const kind = kindOf(catalog, node.kind)
    if (kind === undefined || off.has(node.id) || !wired.has(node.id)) continue
    if (kind.out === 'tool')
      tools += kind.scope?.list === undefined ? 1 : entryTools(node, kind, catalog).length
    if (kind.out === 'policy') policies++
  }
  return { tools, policies }
}

function modelOf(graph: GraphDocument, catalog: Catalog): GraphDigest['model'] {
  const node = wiredNode(graph, 'model', catalog)
  if (node === undefined || graph.parked.includes(node.id)) return null
  const { provider, endpoint, name } = node.config
  return { ...wordAs('provider', provider), ...wordAs('endpoint', endpoint), ...wordAs('name', name) }
}

function wordAs(key: string, value: JsonValue | undefined): Record<string, string> {
  return typeof value === 'string' ? { [key]: value.slice(0, 200) } : {}
}

/** The node with this out port that is wired to the agent, switched off or not. */
export function wiredNode(graph: GraphDocument, out: string, catalog: Catalog): GraphNode | undefined {
  const agent = graph.nodes.find((each) => isAgent(kindOf(catalog, each.kind)))
  const sources = new Set(graph.edges.flatMap(({ from, to }) => (to.node === agent?.id ? [from.node] : [])))
  return graph.nodes.find((each) => sources.has(each.id) && kindOf(catalog, each.kind)?.out === out)
}
