/** How the whole drawing is fitted into view: never enlarged, and a small drawing never too small to read. */
import type { Viewport } from '@xyflow/react'
import { type Box, hull } from '#lib/graph/edit'
import type { Size } from '#lib/graph/geometry'

/** The smallest zoom that a person can choose. */
export const leastZoom = 0.05
/** Up to this many cards, names and second lines stay readable; what does not fit, a person pans to. */
const fewCards = 30
const leastZoomOfFew = 0.8
/** A canvas of a phone is too narrow for that: there the names of cards are enlarged, and a person zooms in. */
const narrow = 480
const leastZoomOfNarrow = 0.22
/** In pixels of the screen. Room for the tools at the bottom and for the strap of the lowest card. */
const wideMargin = { top: 32, right: 32, bottom: 84, left: 32 }
const narrowMargin = { ...wideMargin, right: 12, left: 12 }

export interface FitInput {
  readonly boxes: readonly Box[]
  /** How many of the boxes are cards. */
  readonly cards: number
  /** What stays in view when not everything fits: the agent. */
  readonly anchor: Box | undefined
  readonly screen: Size
}

/** Undefined when there is nothing to show, or no room for it. */
export function fittedView({ boxes, cards, anchor, screen }: FitInput): Viewport | undefined {
  const all = hull(boxes)
  const isNarrow = screen.width <= narrow
  const margin = isNarrow ? narrowMargin : wideMargin
  const room = {
    width: screen.width - margin.left - margin.right,
    height: screen.height - margin.top - margin.bottom,
  }
  if (all === undefined || room.width <= 0 || room.height <= 0) return undefined
  const least = cards > fewCards ? leastZoom : isNarrow ? leastZoomOfNarrow : leastZoomOfFew
  const zoom = Math.max(least, Math.min(1, room.width / all.width, room.height / all.height))
  const across = startOf([all.x, all.width], anchor && [anchor.x, anchor.width], room.width / zoom)
  const down = startOf([all.y, all.height], anchor && [anchor.y, anchor.height], room.height / zoom)
  return { x: margin.left - across * zoom, y: margin.top - down * zoom, zoom }
}

type Span = readonly [start: number, length: number]

/** Where the view begins along one axis: everything centred, or else moved until the anchor is inside. */
function startOf([from, length]: Span, anchor: Span | undefined, room: number): number {
  const start = from + (length - room) / 2
  if (anchor === undefined || length <= room) return start
  const [first, size] = anchor
  return size > room ? first : Math.min(first, Math.max(first + size - room, start))
}
