/** Alignment lines for a dragged box: left, centre and right, top, middle and bottom of the boxes in view. */
import type { XYPosition } from '@xyflow/react'
import type { Box } from '#lib/graph/edit'

/** A line that shows what a dragged card is aligned with, in the canvas's units. */
export interface Guide {
  readonly axis: 'x' | 'y'
  readonly at: number
  readonly from: number
  readonly to: number
}

/** An alignment line and the span of the boxes on it; kept sorted by position. */
interface Line {
  readonly at: number
  readonly from: number
  readonly to: number
}

export interface AlignLines {
  readonly x: readonly Line[]
  readonly y: readonly Line[]
}

/** Computed once per drag; boxes that share a line give one line. */
export function alignLines(boxes: readonly Box[]): AlignLines {
  const x = new Map<number, Line>()
  const y = new Map<number, Line>()
  for (const box of boxes) {
    for (const at of [box.x, box.x + box.width / 2, box.x + box.width])
      extend(x, at, box.y, box.y + box.height)
    for (const at of [box.y, box.y + box.height / 2, box.y + box.height])
      extend(y, at, box.x, box.x + box.width)
  }
  const inOrder = (lines: Map<number, Line>) => [...lines.values()].sort((a, b) => a.at - b.at)
  return { x: inOrder(x), y: inOrder(y) }
}

function extend(lines: Map<number, Line>, at: number, from: number, to: number): void {
  const known = lines.get(at)
  lines.set(at, {
    at,
    from: Math.min(from, known?.from ?? from),
    to: Math.max(to, known?.to ?? to),
  })
}

/** How far a box is pulled, and the lines it is then aligned with. Lines beyond `reach` do not pull. */
export function align(box: Box, lines: AlignLines, reach: number): { by: XYPosition; guides: Guide[] } {
  const across = nearest(lines.x, [box.x, box.x + box.width / 2, box.x + box.width], reach)
  const down = nearest(lines.y, [box.y, box.y + box.height / 2, box.y + box.height], reach)
  const by = { x: across?.by ?? 0, y: down?.by ?? 0 }
  const [left, top] = [box.x + by.x, box.y + by.y]
  const guides: Guide[] = []
  if (across !== undefined) guides.push(guide('x', across.line, top, top + box.height))
  if (down !== undefined) guides.push(guide('y', down.line, left, left + box.width))
  return { by, guides }
}

function guide(axis: 'x' | 'y', { at, from, to }: Line, start: number, end: number): Guide {
  return { axis, at, from: Math.min(from, start), to: Math.max(to, end) }
}

function nearest(
  lines: readonly Line[],
  own: readonly number[],
  reach: number,
): { by: number; line: Line } | undefined {
  let best: { by: number; line: Line } | undefined
  for (const at of own) {
    for (const line of within(lines, at - reach, at + reach)) {
      const by = line.at - at
      if (best === undefined || Math.abs(by) < Math.abs(best.by)) best = { by, line }
    }
  }
  return best
}

function* within(lines: readonly Line[], from: number, to: number): Generator<Line> {
  let [low, high] = [0, lines.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((lines[middle]?.at ?? 0) < from) low = middle + 1
    else high = middle
  }
  for (let at = low; at < lines.length; at++) {
    const line = lines[at]
    if (line === undefined || line.at > to) return
    yield line
  }
}
