'use client'
/** What lies over the canvas: the dots, zoom at the bottom left, the map at the bottom right. */
import {
  Background,
  BackgroundVariant,
  type FitViewOptions,
  MiniMap,
  Panel,
  useReactFlow,
  useStore,
  useViewport,
} from '@xyflow/react'
import { useEffect, useRef } from 'react'
import { Button, IconButton } from '#components/ui/button'
import styles from './canvas-tools.module.css'
import type { FlowNode } from './flow'
import { gridStep } from './flow-types'
import { useGraph, useGraphStore } from './graph-context'
import { tidy } from './part'

export function CanvasTools({
  canTidy = true,
  fitView,
}: {
  canTidy?: boolean
  fitView(options?: FitViewOptions): void
}) {
  const flow = useReactFlow()
  const { zoom } = useViewport()
  const store = useGraphStore()
  const arrange = () => {
    tidy(store)
    // The cards take their new places in the next frame; only then is there something to fit.
    requestAnimationFrame(() => fitView({ duration: 160 }))
  }
  return (
    <>
      <Background
        variant={BackgroundVariant.Dots}
        gap={gridStep}
        size={1.5}
        color="var(--grid)"
        bgColor="transparent"
      />
      <Panel position="bottom-left" className={styles.tools}>
        <IconButton icon="minus" label="Zoom out" onClick={() => void flow.zoomOut()} />
        <Button
          variant="quiet"
          className={styles.zoom}
          title="Zoom to 100 %"
          onClick={() => void flow.zoomTo(1)}
        >
          {Math.round(zoom * 100)} %
        </Button>
        <IconButton icon="plus" label="Zoom in" onClick={() => void flow.zoomIn()} />
        <IconButton icon="maximize" label="Fit all in view" onClick={() => fitView()} />
        {canTidy && <IconButton icon="workflow" label="Tidy: lay everything out anew" onClick={arrange} />}
      </Panel>
    </>
  )
}

export function MiniMapCorner() {
  const isEmpty = useGraph((state) => state.nodes.length === 0)
  if (isEmpty) return null
  return (
    <MiniMap<FlowNode>
      className={styles.map}
      ariaLabel="Map of the drawing"
      nodeColor={colour}
      nodeStrokeWidth={0}
      nodeBorderRadius={8}
      bgColor="var(--panel)"
      maskColor="color-mix(in srgb, var(--ink-3) 12%, transparent)"
      pannable
      zoomable
    />
  )
}

const colour = (node: FlowNode) => (node.selected ? 'var(--ink-2)' : 'var(--line-2)')

/** Tells the style sheet how far away the drawing is, so that letters too small to read go. */
export function ZoomMark() {
  const level = useStore((state) =>
    state.transform[2] < 0.35 ? 'far' : state.transform[2] < 0.6 ? 'mid' : 'near',
  )
  const mark = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const canvas = mark.current?.closest<HTMLElement>('[data-canvas]')
    if (canvas) canvas.dataset.zoom = level
  }, [level])
  return <span ref={mark} hidden />
}
