/** The position of a coach mark: next to what it explains, never over it, always inside the window. Pure. */

export interface Rect {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface MarkSize {
  readonly width: number
  readonly height: number
}

export type MarkSide = 'right' | 'left' | 'below' | 'above'
const sides: readonly MarkSide[] = ['right', 'left', 'below', 'above']

/** Pixels between mark and target, and between mark and window edge. */
const gap = 10
const edge = 8

/**
 * The first position that does not cover `target`, trying the side `wanted` first; if there is none, a corner
 * away from it.
 */
export function placeBeside(
  target: Rect,
  mark: MarkSize,
  room: MarkSize,
  wanted: MarkSide,
): { x: number; y: number } {
  for (const side of [wanted, ...sides.filter((each) => each !== wanted)]) {
    const at = inside(beside(target, mark, side), mark, room)
    if (!overlap(target, { ...at, ...mark })) return at
  }
  const isRight = target.x + target.width / 2 > room.width / 2
  const isLow = target.y + target.height / 2 > room.height / 2
  return inside({ x: isRight ? 0 : room.width, y: isLow ? 0 : room.height }, mark, room)
}

function beside({ x, y, width, height }: Rect, mark: MarkSize, side: MarkSide): { x: number; y: number } {
  const middle = y + height / 2 - mark.height / 2
  switch (side) {
    case 'right':
      return { x: x + width + gap, y: middle }
    case 'left':
      return { x: x - gap - mark.width, y: middle }
    case 'below':
      return { x: x + width - mark.width, y: y + height + gap }
    case 'above':
      return { x: x + width - mark.width, y: y - gap - mark.height }
    default:
      return side satisfies never
  }
}

function inside(at: { x: number; y: number }, mark: MarkSize, room: MarkSize): { x: number; y: number } {
  const within = (value: number, most: number) => Math.max(edge, Math.min(value, most - edge))
  return {
    x: Math.round(within(at.x, room.width - mark.width)),
    y: Math.round(within(at.y, room.height - mark.height)),
  }
}

export function overlap(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}
