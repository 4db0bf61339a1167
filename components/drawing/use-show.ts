'use client'
/** Selects a node, and moves the view to it unless it can already be seen and read. */
import { useReactFlow, useStoreApi } from '@xyflow/react'
import { useCallback } from 'react'
import { useGraphStore } from './graph-context'
import { isInView, screenBox } from './in-view'

/** A card at a smaller zoom is in sight but cannot be read, so the view goes closer. */
const leastZoom = 0.6
/** Pixels at the bottom that the tools and the map cover. */
const covered = 100

export function useShow(): (node: string) => void {
  const store = useGraphStore()
  const flow = useReactFlow()
  const library = useStoreApi()
  return useCallback(
    (id) => {
      store.getState().select({ nodes: [id] })
      // In a narrow window the canvas is behind another tab, and there is no view to move.
      if (library.getState().domNode?.checkVisibility() !== true) return
      const node = flow.getInternalNode(id)
      const view = flow.getViewport()
      const { width, height } = library.getState()
      const isSeen =
        node !== undefined && isInView(screenBox(node, view), { width, height: height - covered })
      if (isSeen && view.zoom >= leastZoom) return
      void flow.fitView({ nodes: [{ id }], maxZoom: 1, minZoom: leastZoom, duration: 160 })
    },
    [store, flow, library],
  )
}
