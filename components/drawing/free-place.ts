/**
 * Finds a free position for a part that was added without one: next to what it belongs to, overlapping
 * nothing.
 */
import type { XYPosition } from '@xyflow/react'
import { kindOf, portsBetween } from '#lib/graph/kinds'
import type { Catalog } from '#lib/spec/catalog'
import { boxOf } from './boxes'
import type { PalettePart } from './carried-part'
import type { CardNode, FlowNode } from './flow'

/**
 * Sizes used by the layout: columns are 336 apart; policies are in a row above the agent, tools in a column
 * on its left with room for a strap, and its outputs on its right.
 */
const column = 336
const cardRoom = { width: 216, height: 64 }
const columnGap = 96
const mostTries = 200

export function freePlace(all: readonly FlowNode[], part: PalettePart, catalog: Catalog): XYPosition {
  const nodes = all.filter((each) => each.type !== 'frame')
  const kindIn = (each: FlowNode) => (each.type === 'card' ? kindOf(catalog, each.data.node.kind) : undefined)
  const agentCard = nodes.find((each) => kindIn(each)?.place.at === 'root')
  const agent = agentCard?.position ?? { x: 0, y: 0 }
  // The first of its family goes below the cards already in the column.
  const isSource = (each: FlowNode) => {
    const kind = kindIn(each)
    const isOther = kind === undefined || kind.place.at === 'root' || kind.family === 'policy'
    return !isOther && each.position.x < agent.x
  }
  const isDrawn = part.note || part.frame
  const family = isDrawn ? 'note' : kindOf(catalog, part.kind)?.family
  const step = family === 'policy' ? { x: 208, y: 0 } : { x: 0, y: 96 }
  const isGiven = !isDrawn && agentCard?.type === 'card' && isFedByAgent(agentCard, part.kind, catalog)
  const last =
    nodes.findLast((each) => (isDrawn ? each.type === 'note' : kindIn(each)?.family === family)) ??
    (isDrawn || isGiven || family === 'policy' ? undefined : nodes.findLast(isSource))
  if (last !== undefined)
    return search(nodes, { x: last.position.x + step.x, y: last.position.y + step.y }, step)
  if (family === 'policy') return search(nodes, { x: agent.x, y: agent.y - 96 }, step)
  if (isGiven) return search(nodes, { x: agent.x + boxOf(agentCard).width + columnGap, y: agent.y }, step)
  return search(nodes, { x: agent.x - (family === 'note' ? 2 : 1) * column, y: agent.y - 48 }, step)
}

/** Whether the kind takes what the agent provides, and provides nothing that the agent takes. */
function isFedByAgent(agent: CardNode, kind: string, catalog: Catalog): boolean {
  const root = agent.data.node.kind
  return portsBetween(catalog, kind, root) === undefined && portsBetween(catalog, root, kind) !== undefined
}

function search(nodes: readonly FlowNode[], from: XYPosition, step: XYPosition): XYPosition {
  let at = from
  for (let tries = 0; tries < mostTries && nodes.some((each) => overlaps(each, at)); tries++)
    at = { x: at.x + step.x, y: at.y + step.y }
  return at
}

function overlaps(node: FlowNode, at: XYPosition): boolean {
  const { x, y, width, height } = boxOf(node)
  return (
    at.x < x + width + 8 && x < at.x + cardRoom.width && at.y < y + height + 8 && y < at.y + cardRoom.height
  )
}
