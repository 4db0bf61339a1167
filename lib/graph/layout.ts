/** Lays out a drawing: sources left of their targets, the agent's policies above it, the rest apart. */
import { layout as dagre, Graph, type GraphLabel, type NodeLabel } from '@dagrejs/dagre'
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument, GraphNode } from '#lib/spec/graph'
import { type Columns, columnsOf } from './columns'
import { type Drawing, readDrawing } from './drawing'
import { isAgent, kindOf, outPort } from './kinds'

export interface Size {
  readonly width: number
  readonly height: number
}

export interface Point {
  readonly x: number
  readonly y: number
}

/** The grid for the corners of all cards, in pixels. */
const grid = 4
const gap = 16
/** The gap under a card that can have a strap. */
const strapGap = 44
const columnGap = 96
/** The gap between the agent and the policies above it. */
const aboveGap = 64
const apartGap = 128
const perRow = 5
const perColumn = 12

/**
 * Up to this many links all count. Above it, only those that decide a column: the rest would take seconds.
 */
const mostLinks = 1_000

type Chart = Graph<GraphLabel, NodeLabel, object>

interface Setting {
  readonly places: Map<string, Point>
  readonly sizeOf: (node: GraphNode) => Size
  readonly catalog: Catalog
}

/**
 * Upper left corners by node id, in whole numbers. `sizes` are measured; a node without one gets its family's
 * size.
 * The same drawing gives the same positions. Nodes that are switched off but wired stay where their wires put
 * them.
 */
export function layout(
  graph: GraphDocument,
  catalog: Catalog,
  sizes?: ReadonlyMap<string, Size>,
): Map<string, Point> {
  const drawing = readDrawing(graph.parked.length === 0 ? graph : { ...graph, parked: [] }, catalog)
  const places = new Map<string, Point>()
  const sizeOf = (node: GraphNode) => sizes?.get(node.id) ?? defaultSize(node, drawing)
  const setting: Setting = { places, sizeOf, catalog }
  const [agent] = drawing.agents
  if (agent !== undefined) {
    const columns = columnsOf(drawing, agent)
    placeColumns(columns, setting)
    placeAbove(columns.above, agent, setting)
  }
  const loose = [...drawing.byId.values()].filter((node) => !drawing.live.has(node.id))
  placeApart(loose, setting)
  return places
}

function defaultSize(node: GraphNode, { catalog, agents, wires }: Drawing): Size {
  if (!isAgent(kindOf(catalog, node.kind))) {
    return { width: outPort(catalog, node.kind) === 'policy' ? 176 : 200, height: 48 }
  }
  // The rows for model and tools are always shown, others only when something is wired to them.
  const rows = new Set(['model', 'tools'])
  for (const { to } of wires) if (to.node === agents[0]?.id && to.port !== 'policies') rows.add(to.port)
  return { width: 256, height: 112 + 24 * rows.size }
}

/** Columns from left to right. */
function placeColumns({ nodes, links }: Columns, setting: Setting): void {
  const chart: Chart = new Graph()
  chart.setGraph({ rankdir: 'LR', ranksep: columnGap, nodesep: gap, ranker: 'longest-path' })
  // The library keeps nodes in plain objects, where an id such as "__proto__" would be dangerous. So nodes
  // get numbers.
  const numbers = new Map(nodes.map(({ id }, index) => [id, String(index)]))
  for (const [index, node] of nodes.entries()) {
    const { width, height } = setting.sizeOf(node)
    // The room for a strap counts as part of the card while the columns are filled.
    chart.setNode(String(index), { width, height: height + under(node, setting.catalog) - gap })
  }
  for (const [from, to] of links.length <= mostLinks ? links : firstLinks(links)) {
    const [source, target] = [numbers.get(from), numbers.get(to)]
    if (source !== undefined && target !== undefined) chart.setEdge(source, target, {})
  }
  dagre(chart, { customOrder: keepOrder })
  placeOnGrid(nodes, chart, setting)
}

/** The first link from each node and the first to each: enough to put every node into its column. */
function firstLinks(links: Columns['links']): Columns['links'] {
  const sources = new Set<string>()
  const targets = new Set<string>()
  return links.filter(([from, to]) => {
    const isFirst = !sources.has(from) || !targets.has(to)
    sources.add(from)
    targets.add(to)
    return isFirst
  })
}

/** Keeps our own order in each column, that of ports and entries, so that wires do not cross. */
function keepOrder(layered: Chart): void {
  const next = new Map<number, number>()
  for (const id of layered.nodes().toSorted((a, b) => Number(a) - Number(b))) {
    const label = layered.node(id)
    const rank = label.rank ?? 0
    label.order = next.get(rank) ?? 0
    next.set(rank, label.order + 1)
  }
}

/** Turns centres into corners on the grid, with each card clear of the one above it. */
function placeOnGrid(nodes: readonly GraphNode[], chart: Chart, { places, sizeOf, catalog }: Setting): void {
  const free = new Map<number, number>()
  let highest = Number.NEGATIVE_INFINITY
  for (const [index, node] of nodes.entries()) {
    const { x = 0, y = 0, width, height, rank = 0 } = chart.node(String(index))
    const top = Math.max(onGrid(y - height / 2), free.get(rank) ?? highest)
    places.set(node.id, { x: onGrid(x - width / 2), y: top })
    // The policies above the agent are wider than it, so nodes to its right must not begin higher than it
    // does.
    if (isAgent(kindOf(catalog, node.kind))) highest = top
    free.set(rank, upToGrid(top + sizeOf(node).height + under(node, catalog)))
  }
}

/**
 * Rows above the agent, the first one nearest. One card is centred, several begin a little left of the agent.
 */
function placeAbove(policies: readonly GraphNode[], agent: GraphNode, { places, sizeOf }: Setting): void {
  const corner = places.get(agent.id)
  if (corner === undefined) return
  let bottom = corner.y - aboveGap
  for (let start = 0; start < policies.length; start += perRow) {
    const row = policies.slice(start, start + perRow)
    const sizes = row.map(sizeOf)
    const top = downToGrid(bottom - Math.max(...sizes.map(({ height }) => height)))
    const two = sizes
      .slice(0, 2)
      .reduce((sum, { width }) => sum + width, (sizes.slice(0, 2).length - 1) * gap)
    let x = onGrid(corner.x + Math.max((sizeOf(agent).width - two) / 2, -columnGap / 2))
    for (const [index, node] of row.entries()) {
      places.set(node.id, { x, y: top })
      x = upToGrid(x + (sizes[index]?.width ?? 0) + gap)
    }
    bottom = top - gap
  }
}

/** Unwired nodes: columns left of everything else, or from the origin when there is nothing else. */
function placeApart(nodes: readonly GraphNode[], { places, sizeOf, catalog }: Setting): void {
  const placed = [...places.values()]
  const top = placed.reduce((least, { y }) => Math.min(least, y), placed[0]?.y ?? 0)
  let right =
    placed.reduce((least, { x }) => Math.min(least, x), placed[0]?.x ?? 0) -
    (placed.length > 0 ? apartGap : 0)
  for (let start = 0; start < nodes.length; start += perColumn) {
    const column = nodes.slice(start, start + perColumn)
    const x = downToGrid(right - Math.max(...column.map((node) => sizeOf(node).width)))
    let y = top
    for (const node of column) {
      places.set(node.id, { x, y })
      y = upToGrid(y + sizeOf(node).height + under(node, catalog))
    }
    right = x - columnGap
  }
}

function under(node: GraphNode, catalog: Catalog): number {
  const out = outPort(catalog, node.kind)
  return out === 'tool' || out === 'model' ? strapGap : gap
}

function onGrid(value: number): number {
  // Adding 0 turns -0 into 0.
  return Math.round(value / grid) * grid + 0
}

function upToGrid(value: number): number {
  return Math.ceil(value / grid) * grid + 0
}

function downToGrid(value: number): number {
  return Math.floor(value / grid) * grid + 0
}
