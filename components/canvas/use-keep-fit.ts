'use client'
/**
 * Keeps everything in view while the canvas changes size, for example when the trace opens, until a person
 * moves the view.
 */
import { type OnMove, useNodesInitialized, useReactFlow, useStore, useStoreApi } from '@xyflow/react'
import { useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import { boxOf } from '#components/drawing/boxes'
import { fittedView } from '#components/drawing/fit-all'
import { useGraph, useGraphStore } from '#components/drawing/graph-context'
import { isAgent, kindOf } from '#lib/graph/kinds'

export interface FitOptions {
  /** Milliseconds of the movement. */
  readonly duration?: number
}

/** With `isPlaced`, whether all cards are rendered where the drawing has them. */
export function useKeepFit(isPlaced: boolean) {
  const flow = useReactFlow()
  const store = useGraphStore()
  const library = useStoreApi()
  const width = useStore((state) => state.width)
  const height = useStore((state) => state.height)
  const isMeasured = useNodesInitialized()
  const settled = useGraph((state) => state.settled)
  const isTheirs = useRef(false)
  const isArrived = useRef(isPlaced)
  const due = useRef<FitOptions | null>(null)
  const fitView = useCallback(
    (options?: FitOptions) => {
      isTheirs.current = false
      // The view and the cards do not move in the same frames.
      if (options !== undefined && !isArrived.current) {
        due.current = options
        return
      }
      const { nodes, catalog } = store.getState()
      const cards = nodes.filter((each) => each.type === 'card')
      const agent = cards.find((each) => isAgent(kindOf(catalog, each.data.node.kind)))
      const view = fittedView({
        boxes: nodes.map(boxOf),
        cards: cards.length,
        anchor: agent && boxOf(agent),
        screen: library.getState(),
      })
      if (view !== undefined) void flow.setViewport(view, { duration: options?.duration ?? 0 })
    },
    [flow, store, library],
  )
  useLayoutEffect(() => {
    isArrived.current = isPlaced
    if (!isPlaced || due.current === null) return
    const options = due.current
    due.current = null
    fitView(options)
  }, [isPlaced, fitView])
  // Again once the cards are measured: until then their usual sizes are assumed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new size, layout or measure is the reason to fit
  useEffect(() => {
    if (width > 0 && height > 0 && !isTheirs.current) fitView()
  }, [fitView, width, height, settled, isMeasured])
  // A move by a person has an event; a move by the program has none.
  const onMove = useCallback<OnMove>((event) => {
    if (event !== null) isTheirs.current = true
  }, [])
  return { onMove, fitView }
}
