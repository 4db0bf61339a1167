/** Where a card is on the screen, and whether all of it is in view. Pure. */
import type { InternalNode, Viewport } from '@xyflow/react'

/** In pixels from the top left corner of the canvas. */
export interface ScreenBox {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

export function screenBox(
  { internals, measured }: Pick<InternalNode, 'internals' | 'measured'>,
  { x, y, zoom }: Viewport,
): ScreenBox {
  const left = internals.positionAbsolute.x * zoom + x
  const top = internals.positionAbsolute.y * zoom + y
  return {
    left,
    top,
    right: left + (measured.width ?? 200) * zoom,
    bottom: top + (measured.height ?? 50) * zoom,
  }
}

export function isInView(
  { left, top, right, bottom }: ScreenBox,
  { width, height }: { readonly width: number; readonly height: number },
): boolean {
  return left >= 0 && top >= 0 && right <= width && bottom <= height
}
