'use client'
/**
 * A wire: a bezier curve whose handles reach half way, or a path around the cards. Dotted when off, moving while in use, yellow and still
 * while it waits for a person.
 */
import { BaseEdge, type EdgeProps, Position } from '@xyflow/react'
import { memo, useLayoutEffect } from 'react'
import type { FlowEdge } from '#components/drawing/flow'
import { useDrawn } from '#components/drawing/graph-context'
import { useEdgeState, useGroupState } from '#components/run/node-status'
import { cornersOf, roundedPath, type WireRoute } from '#lib/graph/routes'
import styles from './wire.module.css'

export const Wire = memo(function Wire({ id, source, target, selected, data, ...ends }: EdgeProps<FlowEdge>) {
  const isPolicy = data?.family === 'policy'
  const from = useDrawn((state) => state.paths.get(source))
  const to = useDrawn((state) => (isPolicy ? state.paths.get(target) : undefined))
  const state = useEdgeState({ from, to })
  const isGroupOn = useGroupState(data?.group)
  const isInactive = isGroupOn === undefined ? data?.groupOff === true : !isGroupOn
  const route = useDrawn((state) => state.routes.get(id))
  useDrawnLast(id, state !== undefined)
  return (
    <BaseEdge
      path={route === undefined ? wirePath(ends) : routePath(route, ends)}
      interactionWidth={20}
      className={styles.wire}
      data-policy={isPolicy || undefined}
      data-off={data?.off || isInactive || undefined}
      data-use={state}
      data-selected={selected || undefined}
    />
  )
})

/**
 * A wire in use is drawn over the others. The order is changed in the DOM and not in the edges, so that a run
 * creates no new edge objects.
 */
function useDrawnLast(id: string, isLast: boolean): void {
  useLayoutEffect(() => {
    if (!isLast) return
    const edge = document.querySelector<SVGElement>(`.react-flow__edge[data-id="${CSS.escape(id)}"]`)
    const layer = edge?.ownerSVGElement
    if (!layer) return
    layer.style.zIndex = '1'
    return () => {
      layer.style.zIndex = '0'
    }
  }, [id, isLast])
}

interface WireEnds {
  readonly sourceX: number
  readonly sourceY: number
  readonly targetX: number
  readonly targetY: number
  readonly sourcePosition: Position
  readonly targetPosition: Position
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

function wirePath(ends: WireEnds): string {
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
