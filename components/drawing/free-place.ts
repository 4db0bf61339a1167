/**
 * Finds free positions for new parts, overlapping nothing: where the layout would put them, or nearest to a
 * point. Parts that are already drawn stay where they are.
 */
import type { XYPosition } from '@xyflow/react'
import type { Box } from '#lib/graph/edit'
import { kindOf, portsBetween } from '#lib/graph/kinds'
import { aboveGap, busGap, columnGap, mostInOneColumn, rowGap, rowHeight, rowTop } from '#lib/graph/layout'
import type { Catalog } from '#lib/spec/catalog'
import { boxOf } from './boxes'
import type { PalettePart } from './carried-part'
import type { CardNode, FlowNode } from './flow'

const card = { width: 200, height: 50 }
const policy = { width: 176, height: 50 }
/** Clear space around the new part; a strap of the card above may reach into it. */
const clear = 8
const mostTries = 400
/** The room that is searched for around a point. */
const cardRoom = { width: 216, height: 64 }
const shiftStep = 16
/** The places of policies in a row above the agent, in widths of a card and its gap from the middle, in the order tried. */
const rowSteps = [0, -1, 1, -0.5, 0.5, -1.5, 1.5]
const noAgent: Box = { x: 0, y: 0, width: 256, height: 160 }

/** A position where parts of this kind belong, for a part that was added without one. */
export function freePlace(all: readonly FlowNode[], part: PalettePart, catalog: Catalog): XYPosition {
  const nodes = all.filter((each) => each.type !== 'frame')
  const kindIn = (each: FlowNode) => (each.type === 'card' ? kindOf(catalog, each.data.node.kind) : undefined)
  const agentCard = nodes.find((each) => kindIn(each)?.place.at === 'root')
  const agent = agentCard === undefined ? noAgent : boxOf(agentCard)
  const boxes = nodes.map(boxOf)
  if (part.note || part.frame) {
    const last = nodes.findLast((each) => each.type === 'note')
    const from = last?.position ?? { x: agent.x - 2 * (card.width + columnGap + 40), y: agent.y - 144 }
    return firstFree(boxes, card, columnDown({ x: from.x, y: from.y + rowHeight }))
  }
  const family = kindOf(catalog, part.kind)?.family
  if (family === 'policy') return firstFree(boxes, policy, rowsAbove(agent))
  if (agentCard?.type === 'card' && isFedByAgent(agentCard, part.kind, catalog))
    return firstFree(boxes, card, columnDown({ x: agent.x + agent.width + columnGap, y: agent.y }))
  const isSource = (each: FlowNode) => {
    const kind = kindIn(each)
    const isOther = kind === undefined || kind.place.at === 'root' || kind.family === 'policy'
    return !isOther && each.position.x < agent.x
  }
  const last =
    nodes.findLast((each) => isSource(each) && kindIn(each)?.family === family) ?? nodes.findLast(isSource)
  const sources = nodes.filter(isSource).map(boxOf)
  return firstFree(boxes, card, columnsLeft(agent, last && boxOf(last), sources))
}

/** Whether the kind takes what the agent provides, and provides nothing that the agent takes. */
function isFedByAgent(agent: CardNode, kind: string, catalog: Catalog): boolean {
  const root = agent.data.node.kind
  return portsBetween(catalog, kind, root) === undefined && portsBetween(catalog, root, kind) !== undefined
}

type Places = Generator<XYPosition, void>

/** The rows of the layout above the agent, in each of them the middle first: there the wire is straight. */
function* rowsAbove(agent: Box): Places {
  const middle = agent.x + agent.width / 2 - policy.width / 2
  for (let bottom = -aboveGap; ; ) {
    const top = rowTop(bottom, policy.height)
    for (const step of rowSteps) yield { x: middle + step * (policy.width + rowGap), y: agent.y + top }
    bottom = top - rowGap
  }
}

function* columnDown({ x, y }: XYPosition): Places {
  for (let top = y; ; top += rowHeight) yield { x, y: top }
}

/** Under the last source, then columns of ten rows further to the left. */
function* columnsLeft(agent: Box, last: Box | undefined, sources: readonly Box[]): Places {
  const x = last === undefined ? agent.x - columnGap - card.width : last.x + last.width - card.width
  const first = last === undefined ? agent.y - 48 : last.y + rowHeight
  const inColumn = sources.filter((each) => Math.abs(each.x - x) < card.width)
  const top = Math.min(first, ...inColumn.map((each) => each.y))
  const end = Math.max(first, top + (mostInOneColumn - 1) * rowHeight)
  for (let y = first; y <= end; y += rowHeight) yield { x, y }
  for (let left = x - busGap - card.width; ; left -= busGap + card.width)
    for (let y = top; y < top + mostInOneColumn * rowHeight; y += rowHeight) yield { x: left, y }
}

function firstFree(
  boxes: readonly Box[],
  size: { width: number; height: number },
  places: Places,
): XYPosition {
  let at: XYPosition = { x: 0, y: 0 }
  let tries = 0
  for (const each of places) {
    at = { x: Math.round(each.x), y: Math.round(each.y) }
    tries += 1
    const box = { ...at, ...size }
    if (tries >= mostTries || !boxes.some((each) => areOverlapping(each, box))) break
  }
  return at
}

function areOverlapping(known: Box, added: Box): boolean {
  return (
    added.x < known.x + known.width + clear &&
    known.x < added.x + added.width + clear &&
    added.y < known.y + known.height + clear &&
    known.y < added.y + added.height + clear
  )
}

/** Beside a card: where a policy belongs that covers only this tool. */
export function placeBeside(all: readonly FlowNode[], node: string): XYPosition | undefined {
  const card = all.find((each) => each.id === node)
  return card && { x: card.position.x - cardRoom.width - 40, y: card.position.y }
}

/** The room that a new card takes at a position. */
export function cardAt(at: XYPosition): Box {
  return { ...at, ...cardRoom }
}

/**
 * The smallest shift after which the boxes overlap no card and no note; frames hold cards, so they are no
 * obstacle. Of equal shifts, the one downwards is first. Undefined when there is none near.
 */
export function freeShift(all: readonly FlowNode[], boxes: readonly Box[]): XYPosition | undefined {
  const known = all.flatMap((each) => (each.type === 'frame' ? [] : [boxOf(each)]))
  return shifts.find((by) =>
    boxes.every(({ x, y, ...size }) => {
      const moved = { x: x + by.x, y: y + by.y, ...size }
      return !known.some((each) => areOverlapping(each, moved))
    }),
  )
}

/** All shifts within reach, the nearest first. */
const shifts = shiftsWithin(480)

function shiftsWithin(reach: number): readonly XYPosition[] {
  const found: XYPosition[] = []
  for (let x = -reach; x <= reach; x += shiftStep)
    for (let y = -reach; y <= reach; y += shiftStep) found.push({ x, y })
  const length = ({ x, y }: XYPosition) => x * x + y * y
  return found.sort((a, b) => length(a) - length(b) || b.y - a.y || b.x - a.x)
}
