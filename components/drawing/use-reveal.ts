'use client'
/** Fits the drawing into view when a newly added card is out of sight; a visible card moves nothing. */
import { useReactFlow, useStoreApi } from '@xyflow/react'
import { useCallback } from 'react'
import { fitAll } from './fit-all'

export function useReveal(): (id: string) => void {
  const flow = useReactFlow()
  const library = useStoreApi()
  return useCallback(
    (id) => {
      // A card is measured in the frame after it was added; before that there is nothing to show.
      requestAnimationFrame(() => {
        const node = flow.getInternalNode(id)
        if (node === undefined) return
        const { x, y, zoom } = flow.getViewport()
        const { width, height } = library.getState()
        const left = node.internals.positionAbsolute.x * zoom + x
        const top = node.internals.positionAbsolute.y * zoom + y
        const right = left + (node.measured.width ?? 200) * zoom
        const bottom = top + (node.measured.height ?? 50) * zoom
        if (left >= 0 && top >= 0 && right <= width && bottom <= height) return
        void flow.fitView({ ...fitAll, maxZoom: Math.min(1, zoom), duration: 160 })
      })
    },
    [flow, library],
  )
}
