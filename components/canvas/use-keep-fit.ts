'use client'
/**
 * Keeps everything in view while the canvas changes size, for example when the trace opens, until a person
 * moves the view.
 */
import { type FitViewOptions, type OnMove, useReactFlow, useStore } from '@xyflow/react'
import { useCallback, useEffect, useRef } from 'react'
import { fitAll } from '#components/drawing/fit-all'
import { useGraph } from '#components/drawing/graph-context'

export function useKeepFit() {
  const flow = useReactFlow()
  const width = useStore((state) => state.width)
  const height = useStore((state) => state.height)
  const settled = useGraph((state) => state.settled)
  const isTheirs = useRef(false)
  useEffect(() => {
    if (width > 0 && height > 0 && !isTheirs.current) void flow.fitView(fitAll)
  }, [flow, width, height])
  useEffect(() => {
    // The cards move in the next frame; only then can the view be fitted to them.
    if (settled > 0 && !isTheirs.current) requestAnimationFrame(() => void flow.fitView(fitAll))
  }, [flow, settled])
  // A move by a person has an event; a move by the program has none.
  const onMove = useCallback<OnMove>((event) => {
    if (event !== null) isTheirs.current = true
  }, [])
  const fitView = useCallback(
    (options?: FitViewOptions) => {
      isTheirs.current = false
      void flow.fitView({ ...fitAll, ...options })
    },
    [flow],
  )
  return { onMove, fitView }
}
