'use client'
/**
 * A wire: a bezier curve whose handles reach half way, or a path around the cards. Dotted when off, moving while in use, yellow and still
 * while it waits for a person.
 */
import { BaseEdge, type EdgeProps } from '@xyflow/react'
import { memo, useLayoutEffect } from 'react'
import type { FlowEdge } from '#components/drawing/flow'
import { useDrawn } from '#components/drawing/graph-context'
import { useEdgeState, useGroupState } from '#components/run/node-status'
import styles from './wire.module.css'
import { wirePath } from './wire-path'

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
      path={wirePath(ends, route)}
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
