/**
 * Chooses the way of every wire: a curve where nothing is between its ends, otherwise a path with right angles
 * around the cards. Wires from one column into the same port share a trunk. Pure geometry.
 */
import { addTo } from '#lib/spec/lists'
import type { Point, Size } from './geometry'

export type PortSide = 'left' | 'right' | 'top' | 'bottom'

export interface WireEnd extends Point {
  readonly node: string
  readonly side: PortSide
}

export interface RoutedWire {
  readonly id: string
  readonly from: WireEnd
  readonly to: WireEnd
}

/**
 * Where a path with right angles turns. It leaves its first port straight for `out` pixels, and enters its last
 * port straight. Without a lane it turns only twice; with one, it crosses to the lane, follows it, and leaves it
 * `into` pixels before its last port.
 */
export interface WireRoute {
  readonly out: number
  readonly lane?: { readonly at: number; readonly into: number }
}

export interface Card extends Point, Size {
  readonly id: string
}

/** Clear space between a wire and a card that it passes. */
const clearance = 6
/** Distances from a port at which a path may turn; the first that is free is taken. */
const nearTarget = 24
const turns = [nearTarget, 16, 40, 56]
/** A fan of wires that is this much higher than it is wide is drawn with a trunk. */
const steepest = 5
/** A lane is at least this wide. */
const leastLane = 2 * clearance + 4
const mostLaneTries = 24
/** A search for a lane looks at many cards, so in a chaotic drawing the rest of the wires stay curves. */
const mostSearches = 400
/** A path runs straight into its last port for at least this long. */
const least = 12
/** A curve is checked in this many pieces. */
const samples = 16

/** Routes by the id of the wire. A wire without one is drawn as a curve. */
export function routesOf(wires: readonly RoutedWire[], cards: readonly Card[]): Map<string, WireRoute> {
  const routes = new Map<string, WireRoute>()
  const fields = { across: fieldOf(cards), down: fieldOf(cards.map(transposeCard)) }
  let searches = 0
  for (const fan of fansOf(wires)) {
    const isDown = fan.some(({ to }) => to.side === 'top')
    const field = isDown ? fields.down : fields.across
    const ways = fan.map((wire) => wayOf(wire, isDown))
    if (ways.every((way) => way.isPlain && !isSteep(way) && isCurveFree(way, field))) continue
    for (const way of ways) {
      if (!way.isPlain) continue
      // Policies share their last turn, the one near the agent.
      const last = isDown ? [way.to.x - way.from.x - nearTarget] : []
      const direct = directRoute(way, [...last, ...turns], field)
      if (direct === undefined) searches += 1
      const route = direct ?? (searches > mostSearches ? undefined : laneRoute(way, field))
      if (route !== undefined) routes.set(way.id, route)
    }
  }
  return routes
}

/** Wires that end at the same port. */
function fansOf(wires: readonly RoutedWire[]): RoutedWire[][] {
  const fans = new Map<string, RoutedWire[]>()
  for (const wire of wires) {
    const { node, side, x, y } = wire.to
    const key = `${side} ${x} ${y} ${node}`
    addTo(fans, key, wire)
  }
  return [...fans.values()]
}

/** A wire as if it led from left to right; one that leads downwards is turned over. */
interface Way {
  readonly id: string
  readonly from: Point
  readonly to: Point
  /** The cards of its own ports. */
  readonly ends: readonly string[]
  /** Its ports face each other's direction, as those of an arranged drawing do. */
  readonly isPlain: boolean
}

function wayOf({ id, from, to }: RoutedWire, isDown: boolean): Way {
  const isPlain = isDown
    ? from.side === 'bottom' && to.side === 'top'
    : from.side === 'right' && to.side === 'left'
  const turn = ({ x, y }: Point) => (isDown ? { x: y, y: x } : { x, y })
  return { id, from: turn(from), to: turn(to), ends: [from.node, to.node], isPlain }
}

function transposeCard({ id, x, y, width, height }: Card): Card {
  return { id, x: y, y: x, width: height, height: width }
}

function isSteep({ from, to }: Way): boolean {
  return Math.abs(to.y - from.y) > steepest * (to.x - from.x)
}

function isCurveFree({ from, to, ends }: Way, field: Field): boolean {
  if (to.x <= from.x) return false
  const [top, bottom] = [Math.min(from.y, to.y), Math.max(from.y, to.y)]
  if (field.isFree({ left: from.x, right: to.x, top, bottom }, ends)) return true
  const reach = Math.max(28, (to.x - from.x) / 2)
  const at = (part: number) => {
    const [a, b, c, d] = [(1 - part) ** 3, 3 * part * (1 - part) ** 2, 3 * part ** 2 * (1 - part), part ** 3]
    return {
      x: a * from.x + b * (from.x + reach) + c * (to.x - reach) + d * to.x,
      y: (a + b) * from.y + (c + d) * to.y,
    }
  }
  let last: Point = from
  for (let step = 1; step <= samples; step++) {
    const next = at(step / samples)
    if (!field.isFree(boxBetween(last, next), ends)) return false
    last = next
  }
  return true
}

function boxBetween(a: Point, b: Point): Area {
  return {
    left: Math.min(a.x, b.x),
    right: Math.max(a.x, b.x),
    top: Math.min(a.y, b.y),
    bottom: Math.max(a.y, b.y),
  }
}

/** With two turns, near the first port. */
function directRoute({ from, to }: Way, distances: readonly number[], field: Field): WireRoute | undefined {
  const out = distances.find((each) => {
    const x = from.x + each
    return (
      each >= least &&
      x <= to.x - least &&
      isLevelFree(from, x, field) &&
      field.isFree(upright(x, from.y, to.y)) &&
      isLevelFree(to, x, field)
    )
  })
  return out === undefined ? undefined : { out }
}

function laneRoute(way: Way, field: Field): WireRoute | undefined {
  const { from, to } = way
  const out = turns.find((each) => isLevelFree(from, from.x + each, field))
  const into = turns.find((each) => isLevelFree(to, to.x - each, field))
  if (out === undefined || into === undefined) return undefined
  const [start, end] = [from.x + out, to.x - into]
  const at = lanesNear(way, { start, end }, field).find(
    (each) =>
      field.isFree(upright(start, from.y, each)) &&
      field.isFree(boxBetween({ x: start, y: each }, { x: end, y: each })) &&
      field.isFree(upright(end, each, to.y)),
  )
  return at === undefined ? undefined : { out, lane: { at, into } }
}

function isLevelFree(port: Point, x: number, field: Field): boolean {
  // The port is on the border of its own card.
  const inside = x > port.x ? clearance + 1 : -clearance - 1
  return field.isFree(boxBetween({ x: port.x + inside, y: port.y }, { x, y: port.y }))
}

function upright(x: number, y: number, to: number): Area {
  return boxBetween({ x, y }, { x, y: to })
}

/** The middles of the free lanes between two turns, those with the shortest way first. */
function lanesNear(
  { from, to }: Way,
  { start, end }: { start: number; end: number },
  field: Field,
): number[] {
  const spans = field.spansBetween(Math.min(start, end), Math.max(start, end))
  const lanes: number[] = []
  let free = Number.NEGATIVE_INFINITY
  for (const [top, bottom] of [...spans, [Number.POSITIVE_INFINITY, 0] as const]) {
    if (top - free >= leastLane) lanes.push(laneIn(free, top, to.y))
    free = Math.max(free, bottom)
  }
  const length = (at: number) => Math.abs(at - from.y) + Math.abs(at - to.y)
  return lanes.toSorted((a, b) => length(a) - length(b) || a - b).slice(0, mostLaneTries)
}

/** The middle of a narrow lane. In a wide one, the place nearest to the target. */
function laneIn(top: number, bottom: number, target: number): number {
  const margin = 24
  if (bottom - top <= 2 * margin) return Math.round((top + bottom) / 2)
  return Math.round(Math.min(bottom - margin, Math.max(top + margin, target)))
}

interface Area {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** The cards, found by place. */
interface Field {
  /** Whether no card, except those with these ids, is in the area or closer to it than the clearance. */
  isFree(area: Area, except?: readonly string[]): boolean
  /** From where to where cards reach down, among those between two x; sorted by their tops. */
  spansBetween(left: number, right: number): (readonly [top: number, bottom: number])[]
}

const cell = 256

function fieldOf(cards: readonly Card[]): Field {
  const cells = new Map<number, Card[]>()
  const columns = new Map<number, Card[]>()
  const put = <K>(into: Map<K, Card[]>, key: K, card: Card) => {
    addTo(into, key, card)
  }
  for (const card of cards) {
    for (const column of cellsOf(card.x, card.x + card.width)) {
      put(columns, column, card)
      for (const row of cellsOf(card.y, card.y + card.height)) put(cells, cellKey(column, row), card)
    }
  }
  const isFree = (area: Area, except: readonly string[] = []) => {
    const near = {
      left: area.left - clearance,
      right: area.right + clearance,
      top: area.top - clearance,
      bottom: area.bottom + clearance,
    }
    for (const column of cellsOf(near.left, near.right)) {
      if (!columns.has(column)) continue
      for (const row of cellsOf(near.top, near.bottom)) {
        const isBlocked = (card: Card) => overlaps(card, near) && !except.includes(card.id)
        if (cells.get(cellKey(column, row))?.some(isBlocked)) return false
      }
    }
    return true
  }
  const spansBetween = (left: number, right: number) => {
    const found = new Set(
      cellsOf(left - clearance, right + clearance).flatMap((each) => columns.get(each) ?? []),
    )
    return [...found]
      .filter((card) => card.x < right + clearance && card.x + card.width > left - clearance)
      .map((card) => [card.y, card.y + card.height] as const)
      .sort((a, b) => a[0] - b[0])
  }
  return { isFree, spansBetween }
}

const cellKey = (column: number, row: number) => column * 1_000_003 + row

function cellsOf(from: number, to: number): number[] {
  const first = Math.floor(from / cell)
  return Array.from({ length: Math.floor(to / cell) - first + 1 }, (_, index) => first + index)
}

function overlaps(card: Card, { left, right, top, bottom }: Area): boolean {
  return card.x < right && card.x + card.width > left && card.y < bottom && card.y + card.height > top
}

/** The corners of a routed wire, its ends included. */
export function cornersOf(
  { out, lane }: WireRoute,
  { from, to, isDown }: { readonly from: Point; readonly to: Point; readonly isDown: boolean },
): Point[] {
  const turn = ({ x, y }: Point) => (isDown ? { x: y, y: x } : { x, y })
  const [start, end] = [turn(from), turn(to)]
  const x = start.x + out
  const corners =
    lane === undefined
      ? [
          { x, y: start.y },
          { x, y: end.y },
        ]
      : [
          { x, y: start.y },
          { x, y: lane.at },
          { x: end.x - lane.into, y: lane.at },
          { x: end.x - lane.into, y: end.y },
        ]
  return [start, ...corners, end].map(turn)
}

/** SVG path data of a line with these corners, each of them rounded. */
export function roundedPath(corners: readonly Point[], radius = 8): string {
  const [first] = corners
  if (first === undefined) return ''
  const parts = [`M${first.x} ${first.y}`]
  for (let index = 1; index < corners.length - 1; index++) {
    const [before, corner, after] = [corners[index - 1], corners[index], corners[index + 1]]
    if (before === undefined || corner === undefined || after === undefined) continue
    const cut = Math.min(radius, distance(before, corner) / 2, distance(corner, after) / 2)
    const [a, b] = [towards(corner, before, cut), towards(corner, after, cut)]
    parts.push(`L${a.x} ${a.y}Q${corner.x} ${corner.y} ${b.x} ${b.y}`)
  }
  const last = corners.at(-1)
  if (last !== undefined) parts.push(`L${last.x} ${last.y}`)
  return parts.join('')
}

function distance(a: Point, b: Point): number {
  return Math.hypot(b.x - a.x, b.y - a.y)
}

function towards(from: Point, to: Point, by: number): Point {
  const length = distance(from, to)
  if (length === 0) return from
  return { x: from.x + ((to.x - from.x) * by) / length, y: from.y + ((to.y - from.y) * by) / length }
}
