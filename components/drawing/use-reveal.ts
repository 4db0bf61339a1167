'use client'
/** Pans to a newly added card that is out of sight; a visible card moves nothing. */
import { useReactFlow, useStoreApi } from '@xyflow/react'
import { useCallback } from 'react'
import { isInView, screenBox } from './in-view'

/** Pixels of the screen between the card and the edge of the canvas; below there are tools and a strap. */
const margin = { top: 32, right: 32, bottom: 84, left: 32 }

export function useReveal(): (id: string) => void {
  const flow = useReactFlow()
  const library = useStoreApi()
  return useCallback(
    (id) => {
      // A card is measured in the frame after it was added; before that there is nothing to show.
      requestAnimationFrame(() => {
        const node = flow.getInternalNode(id)
        if (node === undefined) return
        const view = flow.getViewport()
        const { width, height } = library.getState()
        const box = screenBox(node, view)
        if (isInView(box, { width, height })) return
        const across = shiftInto([box.left, box.right], [margin.left, width - margin.right])
        const down = shiftInto([box.top, box.bottom], [margin.top, height - margin.bottom])
        void flow.setViewport({ x: view.x + across, y: view.y + down, zoom: view.zoom }, { duration: 160 })
      })
    },
    [flow, library],
  )
}

type Span = readonly [from: number, to: number]

function shiftInto([from, to]: Span, [first, last]: Span): number {
  if (from < first) return first - from
  return to > last ? Math.max(first - from, last - to) : 0
}
