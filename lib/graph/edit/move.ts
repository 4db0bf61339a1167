/** Moves nodes, notes and frames. */
import type { GraphDocument } from '#lib/spec/graph'
import { equal } from '../equal'
import { type Edited, leaveUnchanged, whole } from './edited'

export interface Move {
  /** A node, a note or a frame. */
  readonly id: string
  readonly at: { readonly x: number; readonly y: number }
}

/**
 * Moves the named items, rounding positions to whole numbers. The contents of a frame must be named as well.
 */
export function moveNodes(graph: GraphDocument, moves: readonly Move[]): Edited {
  const places = new Map(moves.map(({ id, at }) => [id, whole(at)]))
  const nodes = changeItems(graph.nodes, (node) => {
    const at = places.get(node.id)
    return at === undefined || equal(at, node.at) ? node : { ...node, at }
  })
  const shifted = <T extends { readonly id: string; readonly at: [number, number] }>(each: T): T => {
    const at = places.get(each.id)
    return at === undefined || (at.x === each.at[0] && at.y === each.at[1])
      ? each
      : { ...each, at: [at.x, at.y] }
  }
  const notes = changeItems(graph.notes, shifted)
  const frames = changeItems(graph.look.frames, shifted)
  if (nodes === graph.nodes && notes === graph.notes && frames === graph.look.frames)
    return leaveUnchanged(graph)
  const look = frames === graph.look.frames ? graph.look : { ...graph.look, frames }
  return leaveUnchanged({ ...graph, nodes, notes, look })
}

function changeItems<T>(items: T[], change: (item: T) => T): T[] {
  const next = items.map(change)
  return next.every((each, index) => each === items[index]) ? items : next
}
