/** Where a part goes that no one dropped anywhere: beside what it belongs to, on nothing. */
import type { XYPosition } from '@xyflow/react'
import { kindOf } from '#lib/graph/kinds'
import type { Catalog } from '#lib/spec/catalog'
import { boxOf } from './boxes'
import type { FlowNode } from './flow'
import type { Part } from './part'

/** Measures of the layout: columns 336 apart, policies in a row above the agent, tools in a column left of it with room for a strap. */
const column = 336
const cardRoom = { width: 216, height: 64 }
const mostTries = 200

export function freePlace(all: readonly FlowNode[], part: Part, catalog: Catalog): XYPosition {
  const nodes = all.filter((each) => each.type !== 'frame')
  const kindIn = (each: FlowNode) => (each.type === 'card' ? kindOf(catalog, each.data.node.kind) : undefined)
  const agent = nodes.find((each) => kindIn(each)?.place.at === 'root')?.position ?? { x: 0, y: 0 }
  // The first of its family goes under what already stands in the column.
  const isSource = (each: FlowNode) => {
    const kind = kindIn(each)
    const isOther = kind === undefined || kind.place.at === 'root' || kind.family === 'policy'
    return !isOther && each.position.x < agent.x
  }
  const isDrawn = part.note || part.frame
  const family = isDrawn ? 'note' : kindOf(catalog, part.kind)?.family
  const step = family === 'policy' ? { x: 208, y: 0 } : { x: 0, y: 96 }
  const last =
    nodes.findLast((each) => (isDrawn ? each.type === 'note' : kindIn(each)?.family === family)) ??
    (isDrawn || family === 'policy' ? undefined : nodes.findLast(isSource))
  if (last !== undefined)
    return search(nodes, { x: last.position.x + step.x, y: last.position.y + step.y }, step)
  if (family === 'policy') return search(nodes, { x: agent.x, y: agent.y - 96 }, step)
  return search(nodes, { x: agent.x - (family === 'note' ? 2 : 1) * column, y: agent.y - 48 }, step)
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
