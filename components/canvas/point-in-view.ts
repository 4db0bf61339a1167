/**
 * A point of the screen on the canvas: the pointer if it is there, otherwise the middle of the visible part.
 */
import type { XYPosition } from '@xyflow/react'

export function pointInView(canvas: HTMLElement | null, pointer: XYPosition): XYPosition {
  if (canvas === null) return pointer
  const { left, top, right, bottom } = canvas.getBoundingClientRect()
  const isOver = canvas.matches(':hover') && isWithin(pointer, { left, top, right, bottom })
  return isOver ? pointer : { x: Math.round((left + right) / 2), y: Math.round((top + bottom) / 2) }
}

function isWithin(
  { x, y }: XYPosition,
  { left, top, right, bottom }: { left: number; top: number; right: number; bottom: number },
): boolean {
  return x >= left && x <= right && y >= top && y <= bottom
}
