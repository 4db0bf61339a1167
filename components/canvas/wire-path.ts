/** The line of a wire: a curve between its ports, or a path with rounded turns around the cards. */
import { Position } from '@xyflow/react'
import { cornersOf, roundedPath, type WireRoute } from '#lib/graph/routes'

interface WireEnds {
  readonly sourceX: number
  readonly sourceY: number
  readonly targetX: number
  readonly targetY: number
  readonly sourcePosition: Position
  readonly targetPosition: Position
}

/** In the notation of SVG. A wire without a route is a curve. */
export function wirePath(ends: WireEnds, route: WireRoute | undefined): string {
  return route === undefined ? curvePath(ends) : routePath(route, ends)
}

/** Turns keep their distance from the ports, so a wire stays with its card while that is dragged. */
function routePath(
  route: WireRoute,
  { sourceX, sourceY, targetX, targetY, targetPosition }: WireEnds,
): string {
  const [from, to] = [
    { x: sourceX, y: sourceY },
    { x: targetX, y: targetY },
  ]
  return roundedPath(cornersOf(route, { from, to, isDown: targetPosition === Position.Top }))
}

/**
 * The handles of a curve are at least this long, so that a wire that leads backwards still leaves its port
 * straight.
 */
const shortest = 28

function curvePath(ends: WireEnds): string {
  const { sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition } = ends
  const start = handle({
    x: sourceX,
    y: sourceY,
    side: sourcePosition,
    dx: targetX - sourceX,
    dy: targetY - sourceY,
  })
  const end = handle({
    x: targetX,
    y: targetY,
    side: targetPosition,
    dx: targetX - sourceX,
    dy: targetY - sourceY,
  })
  return `M${sourceX} ${sourceY}C${start} ${end} ${targetX} ${targetY}`
}

function handle({
  x,
  y,
  side,
  dx,
  dy,
}: {
  x: number
  y: number
  side: Position
  dx: number
  dy: number
}): string {
  const across = Math.max(shortest, Math.abs(dx) / 2)
  const down = Math.max(shortest, Math.abs(dy) / 2)
  switch (side) {
    case Position.Left:
      return `${x - across} ${y}`
    case Position.Right:
      return `${x + across} ${y}`
    case Position.Top:
      return `${x} ${y - down}`
    case Position.Bottom:
      return `${x} ${y + down}`
    default:
      return side satisfies never
  }
}
