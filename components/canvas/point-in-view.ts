/** A point of the screen that lies on the canvas: the pointer where it is there, else the middle of what is seen. */
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
