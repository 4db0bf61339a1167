/** Edits of frames, which contain things by position only, never by name. */
import { type GraphDocument, type GraphFrame, mostDrawn } from '#lib/spec/graph'
import { equal } from '../equal'
import { type Edited, idMaker, leaveUnchanged, pair } from './edited'

/** Space between a frame and its contents: above for its title, below for a card's strap. */
const room = { side: 24, above: 32, below: 32 }
const step = 8

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface NewFrame {
  readonly id?: string
  readonly title: string
  readonly at: readonly [number, number]
  readonly size: readonly [number, number]
}

/** Adds one frame; its id is the first of `added`. */
export function addFrame(graph: GraphDocument, frame: NewFrame): Edited {
  const { frames } = graph.look
  const most = mostDrawn.frames
  if (frames.length >= most) return leaveUnchanged(graph, `A drawing holds at most ${most} frames.`)
  const id = idMaker(graph)('frame', frame.id)
  const made: GraphFrame = { id, title: frame.title, at: pair(frame.at), size: pair(frame.size) }
  return { ...leaveUnchanged({ ...graph, look: { ...graph.look, frames: [...frames, made] } }), added: [id] }
}

export function setFrame(graph: GraphDocument, id: string, patch: Partial<Omit<NewFrame, 'id'>>): Edited {
  const frame = graph.look.frames.find((each) => each.id === id)
  if (frame === undefined) return leaveUnchanged(graph)
  const next: GraphFrame = {
    ...frame,
    ...(patch.title === undefined ? {} : { title: patch.title }),
    ...(patch.at === undefined ? {} : { at: pair(patch.at) }),
    ...(patch.size === undefined ? {} : { size: pair(patch.size) }),
  }
  if (equal(next, frame)) return leaveUnchanged(graph)
  const frames = graph.look.frames.map((each) => (each === frame ? next : each))
  return leaveUnchanged({ ...graph, look: { ...graph.look, frames } })
}

/** The smallest box around these; undefined when there are none. */
export function hull(boxes: readonly Box[]): Box | undefined {
  const [first, ...rest] = boxes
  if (first === undefined) return undefined
  let [left, top, right, bottom] = [first.x, first.y, first.x + first.width, first.y + first.height]
  for (const { x, y, width, height } of rest) {
    left = Math.min(left, x)
    top = Math.min(top, y)
    right = Math.max(right, x + width)
    bottom = Math.max(bottom, y + height)
  }
  return { x: left, y: top, width: right - left, height: bottom - top }
}

/** The box of a frame drawn around these boxes; undefined when there are none. */
export function boxRound(boxes: readonly Box[]): Box | undefined {
  const within = hull(boxes)
  if (within === undefined) return undefined
  const down = (value: number) => Math.floor(value / step) * step
  const up = (value: number) => Math.ceil(value / step) * step
  const x = down(within.x - room.side)
  const y = down(within.y - room.above)
  const right = up(within.x + within.width + room.side)
  const bottom = up(within.y + within.height + room.below)
  return { x, y, width: right - x, height: bottom - y }
}

/** The boxes that lie completely inside the frame. A box of the same size is not inside. */
export function boxesInFrame<T extends Box>(frame: Box, boxes: readonly T[]): T[] {
  return boxes.filter(
    (each) =>
      each.x >= frame.x &&
      each.y >= frame.y &&
      each.x + each.width <= frame.x + frame.width &&
      each.y + each.height <= frame.y + frame.height &&
      (each.width < frame.width || each.height < frame.height),
  )
}
