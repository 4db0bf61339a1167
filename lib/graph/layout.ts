/**
 * Lays out a drawing: sources in columns left of the agent, the agent's policies in rows above it, what is not
 * wired apart.
 */
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument, GraphEdge, GraphNode } from '#lib/spec/graph'
import { type Blocks, blocksOf, type CardBlock, inOrder } from './blocks'
import { readDrawing } from './drawing'
import type { Point, Size } from './geometry'
import { isAgent, kindOf, outPort } from './kinds'
import { portRow, portRows } from './wire-ends'

/** The grid for the corners of all cards, in pixels. */
const grid = 4
const gap = 16
/** The gap under a card that can have a strap. */
const strapGap = 44
/** The gap between the nearest column and the agent. */
export const columnGap = 96
/** The gap between two columns, and between an entry and its policies: room for a shared trunk of wires. */
export const busGap = 64
/** The gaps between the agent and the policies above it, and around each of these. */
export const aboveGap = 48
export const rowGap = 40
const apartGap = 128
/** Up to this many policies of the agent stand in rows of three. */
const mostInThrees = 12
/** Columns of unwired nodes are as high as the rest of the drawing, and hold at least this many. */
const leastApart = 10

/** Up to this many cards stand in one column next to the agent. */
export const mostInOneColumn = 10
/** How many cards a bank holds: half a column, above or below the level of the agent's ports. */
const leastInBank = 5
const mostInBank = 16
export const rowHeight = 96
/** How much higher a bank may become to keep a group whole. */
const stretch = 1.25
/** The width over the height that several columns together aim at. */
const aspect = 1.5
/** At the bottom of the agent's card. */
const portsHeight = 4 * portRow
/** Above and below the agent's ports, where the wires of all columns pass. */
const channelMargin = 32
/** A column up to this height begins at the agent's top if it would otherwise reach the policies. */
const shortColumn = 640

interface Setting {
  readonly places: Map<string, Point>
  readonly sizeOf: (node: GraphNode) => Size
  readonly catalog: Catalog
}

/**
 * Upper left corners by node id, in whole numbers. `sizes` are measured; a node without one gets its family's
 * size. The same drawing gives the same positions, in whatever order its nodes are listed. Nodes that are
 * switched off but wired stay where their wires put them.
 */
export function layout(
  graph: GraphDocument,
  catalog: Catalog,
  sizes?: ReadonlyMap<string, Size>,
): Map<string, Point> {
  const drawing = readDrawing(graph.parked.length === 0 ? graph : { ...graph, parked: [] }, catalog)
  const places = new Map<string, Point>()
  const sizeOf = (node: GraphNode) => sizes?.get(node.id) ?? cardSize(node, drawing.wires, catalog)
  const setting: Setting = { places, sizeOf, catalog }
  const [agent] = drawing.agents
  if (agent !== undefined) placeLive(agent, blocksOf(drawing, agent), setting)
  placeApart(inOrder([...drawing.byId.values()].filter((node) => !places.has(node.id))), setting)
  return places
}

/** The size of a card that is not measured. */
export function cardSize(node: GraphNode, edges: readonly GraphEdge[], catalog: Catalog): Size {
  if (isAgent(kindOf(catalog, node.kind)))
    return { width: 256, height: 112 + portRow * portRows(node, edges, catalog).length }
  const isNarrow = outPort(catalog, node.kind) === 'policy' || kindOf(catalog, node.kind)?.family === 'mcp'
  return { width: isNarrow ? 176 : 200, height: 50 }
}

function placeLive(agent: GraphNode, blocks: Blocks, setting: Setting): void {
  const size = setting.sizeOf(agent)
  setting.places.set(agent.id, { x: 0, y: 0 })
  const rows = rowsAbove(blocks.above, setting)
  const fan = fanOf(blocks.before, size, setting)
  const overhang = Math.max(0, (rows.width - size.width) / 2)
  const isInTheWay = overhang + gap > columnGap && fan.top < gap - aboveGap
  const isLowered = isInTheWay && fan.height <= shortColumn
  const right = isInTheWay && !isLowered ? overhang + rowGap : columnGap
  placeFan(fan, { x: -right, y: isLowered ? -fan.top : 0 }, setting)
  placeAbove(rows, size, setting)
  let y = onGrid(size.height - 24 - gap)
  for (const node of blocks.after) {
    setting.places.set(node.id, { x: upToGrid(size.width + columnGap), y })
    y = upToGrid(y + setting.sizeOf(node).height + gap)
  }
}

/** Blocks under each other. */
interface Bank {
  readonly blocks: readonly CardBlock[]
  readonly top: number
}

interface Fan {
  /** Columns from the agent to the left. */
  readonly columns: readonly (readonly Bank[])[]
  readonly top: number
  readonly height: number
}

/**
 * One column beside the agent, or several. These are cut into a bank above and a bank below the level of the
 * agent's ports, so that the wires of every column reach the agent between the banks.
 */
function fanOf(blocks: readonly CardBlock[], agent: Size, setting: Setting): Fan {
  const height = stackHeight(blocks, setting)
  if (blocks.length <= mostInOneColumn && height <= mostInOneColumn * rowHeight) {
    const top = onGrid((agent.height - height + strapGap) / 2)
    return { columns: [[{ blocks, top }]], top, height }
  }
  const bottom = agent.height - portsHeight - channelMargin + strapGap
  const below = upToGrid(agent.height + channelMargin)
  const banks = banksOf(blocks, bankHeight(blocks, height), setting)
  const columns: Bank[][] = []
  for (let index = 0; index < banks.length; index += 2) {
    const [upper = [], lower] = banks.slice(index, index + 2)
    const top = downToGrid(bottom - stackHeight(upper, setting))
    columns.push([{ blocks: upper, top }, ...(lower === undefined ? [] : [{ blocks: lower, top: below }])])
  }
  return { columns, top: Math.min(...columns.flat().map((bank) => bank.top)), height }
}

/** As high as it must be for the columns together to have the aspect of a screen. */
function bankHeight(blocks: readonly CardBlock[], height: number): number {
  const withSources = blocks.filter(({ sources }) => sources.length > 0).length
  const width = 200 + busGap + (withSources === 0 ? 0 : 176 + busGap)
  const rows = Math.round(Math.sqrt((height * width) / aspect) / 2 / rowHeight)
  return Math.min(mostInBank, Math.max(leastInBank, rows)) * rowHeight
}

/**
 * Fills the banks in order. A group stays whole if a slightly higher bank holds it, or if a new bank does and the
 * present one is half full.
 */
function banksOf(blocks: readonly CardBlock[], limit: number, setting: Setting): CardBlock[][] {
  const groups = new Map<string, number>()
  for (const block of blocks)
    groups.set(block.group, (groups.get(block.group) ?? 0) + heightOf(block, setting))
  const banks: CardBlock[][] = []
  let bank: CardBlock[] = []
  let used = 0
  let end = limit
  for (const [index, block] of blocks.entries()) {
    const height = heightOf(block, setting)
    const whole = groups.get(block.group) ?? 0
    const isFirst = blocks[index - 1]?.group !== block.group
    if (isFirst) end = used + whole <= limit * stretch ? Math.max(limit, used + whole) : limit
    const isCut = isFirst && used >= limit / 2 && used + whole > end && whole <= limit
    if (bank.length === 0 || used + height > end || isCut) {
      bank = []
      used = 0
      end = limit
      banks.push(bank)
    }
    bank.push(block)
    used += height
  }
  return banks
}

function placeFan({ columns }: Fan, from: Point, setting: Setting): void {
  let right = downToGrid(from.x)
  for (const column of columns) {
    const widths = column.reduce((known: number[], { blocks }) => widest(blocks, setting, 0, known), [])
    const edges: number[] = []
    for (const width of widths) {
      edges.push(right)
      right = downToGrid(right - width - busGap)
    }
    for (const { blocks, top } of column) placeStack(blocks, { edges, depth: 0, top: top + from.y }, setting)
  }
}

/** The widest card at each distance from the agent; cards at the same distance end at the same edge. */
function widest(blocks: readonly CardBlock[], setting: Setting, depth: number, known: number[]): number[] {
  for (const { node, sources } of blocks) {
    known[depth] = Math.max(known[depth] ?? 0, setting.sizeOf(node).width)
    widest(sources, setting, depth + 1, known)
  }
  return known
}

interface StackPlace {
  /** The right edge at each distance from the agent. */
  readonly edges: readonly number[]
  readonly depth: number
  readonly top: number
}

function placeStack(blocks: readonly CardBlock[], { edges, depth, top }: StackPlace, setting: Setting): void {
  let y = top
  for (const block of blocks) {
    const { width } = setting.sizeOf(block.node)
    setting.places.set(block.node.id, { x: downToGrid((edges[depth] ?? 0) - width), y })
    placeStack(block.sources, { edges, depth: depth + 1, top: y + sourcesOffset(block, setting) }, setting)
    y += heightOf(block, setting)
  }
}

/** The first source is in the middle of its card's row. */
function sourcesOffset({ node, sources }: CardBlock, { sizeOf }: Setting): number {
  const [first] = sources
  return first === undefined ? 0 : Math.max(0, onGrid((sizeOf(node).height - sizeOf(first.node).height) / 2))
}

function stackHeight(blocks: readonly CardBlock[], setting: Setting): number {
  return blocks.reduce((sum, block) => sum + heightOf(block, setting), 0)
}

/** With the room under it. */
function heightOf(block: CardBlock, setting: Setting): number {
  const own = setting.sizeOf(block.node).height + under(block.node, setting.catalog)
  return upToGrid(Math.max(own, sourcesOffset(block, setting) + stackHeight(block.sources, setting)))
}

interface Rows {
  readonly rows: readonly (readonly GraphNode[])[]
  /** Of the widest card. All cards of the rows are that far apart, so that wires pass between them. */
  readonly cell: number
  readonly width: number
}

function rowsAbove(policies: readonly GraphNode[], { sizeOf }: Setting): Rows {
  const perRow = policies.length <= mostInThrees ? 3 : Math.ceil(Math.sqrt(policies.length))
  const cell = Math.max(0, ...policies.map((node) => sizeOf(node).width))
  const rows: GraphNode[][] = []
  for (let start = 0; start < policies.length; start += perRow)
    rows.push(policies.slice(start, start + perRow))
  return { rows, cell, width: rowWidth(rows[0]?.length ?? 0, cell) }
}

function rowWidth(cards: number, cell: number): number {
  return Math.max(0, cards * (cell + rowGap) - rowGap)
}

/** The first row is nearest to the agent. Every row is centred over it. */
function placeAbove({ rows, cell }: Rows, agent: Size, { places, sizeOf }: Setting): void {
  let bottom = -aboveGap
  for (const row of rows) {
    const top = rowTop(bottom, Math.max(...row.map((node) => sizeOf(node).height)))
    const left = (agent.width - rowWidth(row.length, cell)) / 2
    for (const [index, node] of row.entries())
      places.set(node.id, { x: onGrid(left + index * (cell + rowGap)), y: top })
    bottom = top - rowGap
  }
}

/** The top of a row above the agent, from the bottom of the row, both relative to the agent's top. */
export function rowTop(bottom: number, height: number): number {
  return downToGrid(bottom - height)
}

/** Unwired nodes: columns left of everything else, or from the origin when there is nothing else. */
function placeApart(nodes: readonly GraphNode[], { places, sizeOf, catalog }: Setting): void {
  const placed = [...places.values()]
  const top = placed.reduce((least, { y }) => Math.min(least, y), placed[0]?.y ?? 0)
  let right =
    placed.reduce((least, { x }) => Math.min(least, x), placed[0]?.x ?? 0) -
    (placed.length > 0 ? apartGap : 0)
  const bottom = placed.reduce((most, { y }) => Math.max(most, y), top)
  const perColumn = Math.max(leastApart, Math.floor((bottom - top) / rowHeight))
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
