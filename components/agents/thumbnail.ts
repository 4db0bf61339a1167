/** A small picture of a drawing: the boxes and wires of a graph within a given frame. Pure geometry. */

import { kindOf } from '#lib/graph/kinds'
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDigest } from '#lib/spec/digest'
import type { Family } from '#lib/spec/kind'

export interface ThumbBox {
  readonly id: string
  readonly family: Family
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface Thumbnail {
  readonly boxes: readonly ThumbBox[]
  /** SVG path data. */
  readonly wires: readonly { readonly id: string; readonly path: string }[]
}

export interface Frame {
  readonly width: number
  readonly height: number
  readonly margin: number
}

/** The sizes of cards on the canvas, without what is known only when they are rendered. */
const sizes: Partial<Record<Family, { width: number; height: number }>> = {
  agent: { width: 256, height: 168 },
  policy: { width: 176, height: 50 },
  mcp: { width: 176, height: 50 },
}
const usual = { width: 200, height: 50 }
/** The largest scale, so that small drawings are not enlarged too much. */
const largest = 0.26

export function thumbnailOf({ nodes, wires: drawn }: GraphDigest, catalog: Catalog, frame: Frame): Thumbnail {
  const placed = nodes.map(({ kind, x, y }, index): ThumbBox => {
    const family = kindOf(catalog, kind)?.family ?? 'note'
    return { id: String(index), family, x, y, ...(sizes[family] ?? usual) }
  })
  const boxes = placed.map(fitInto(placed, frame))
  const wires = drawn.flatMap(([from, to], index) => {
    const [source, target] = [boxes[from], boxes[to]]
    return source === undefined || target === undefined
      ? []
      : [{ id: String(index), path: wire(source, target) }]
  })
  return { boxes, wires }
}

function fitInto(boxes: readonly ThumbBox[], { width, height, margin }: Frame): (box: ThumbBox) => ThumbBox {
  const left = Math.min(...boxes.map((each) => each.x))
  const top = Math.min(...boxes.map((each) => each.y))
  const across = Math.max(...boxes.map((each) => each.x + each.width)) - left
  const down = Math.max(...boxes.map((each) => each.y + each.height)) - top
  const scale = Math.min(
    (width - 2 * margin) / Math.max(across, 1),
    (height - 2 * margin) / Math.max(down, 1),
    largest,
  )
  const dx = (width - across * scale) / 2
  const dy = (height - down * scale) / 2
  return (each) => ({
    ...each,
    x: round((each.x - left) * scale + dx),
    y: round((each.y - top) * scale + dy),
    width: round(each.width * scale),
    height: round(each.height * scale),
  })
}

/** From the source's right edge to the target's left edge; a policy above the agent is wired downwards. */
function wire(source: ThumbBox, target: ThumbBox): string {
  if (target.family === 'agent' && source.family === 'policy' && source.y + source.height <= target.y)
    return hanging(source, target)
  const [x1, y1] = [round(source.x + source.width), round(source.y + source.height / 2)]
  const [x2, y2] = [target.x, round(target.y + target.height / 2)]
  const reach = round(Math.max(6, Math.abs(x2 - x1) / 2))
  return `M${x1} ${y1}C${round(x1 + reach)} ${y1} ${round(x2 - reach)} ${y2} ${x2} ${y2}`
}

function hanging(source: ThumbBox, target: ThumbBox): string {
  const [x1, y1] = [round(source.x + source.width / 2), round(source.y + source.height)]
  const [x2, y2] = [round(target.x + target.width / 2), target.y]
  const half = round((y1 + y2) / 2)
  return `M${x1} ${y1}C${x1} ${half} ${x2} ${half} ${x2} ${y2}`
}

const round = (value: number) => Math.round(value * 10) / 10
