'use client'
/** Controls over the canvas: the dots, zoom at the bottom left, the map at the bottom right. */
import {
  Background,
  BackgroundVariant,
  MiniMap,
  Panel,
  type ReactFlowState,
  useOnViewportChange,
  useReactFlow,
  useStore,
  type Viewport,
} from '@xyflow/react'
import { memo, type ReactNode, useCallback, useEffect, useRef } from 'react'
import type { Command } from '#components/commands/commands'
import { useCommandStore } from '#components/commands/commands-context'
import type { FlowNode } from '#components/drawing/flow'
import { useGraph } from '#components/drawing/graph-context'
import { Button, IconButton } from '#components/ui/button'
import { keyText } from '#components/ui/key-text'
import { useIsMac } from '#components/ui/use-is-mac'
import styles from './canvas-tools.module.css'
import { useCanvasUi, useCanvasUiStore } from './canvas-ui-context'
import { gridStep } from './flow-types'
import { MapNode } from './map-node'
import type { FitOptions } from './use-keep-fit'

export function CanvasTools({
  fitView,
  commands = [],
  children,
}: {
  fitView(options?: FitOptions): void
  /** The builder's commands, which add a button that lays the drawing out again. */
  commands?: readonly Command[]
  children?: ReactNode
}) {
  const flow = useReactFlow()
  const percent = useStore(percentOf)
  const tidy = commands.find((each) => each.id === 'canvas.tidy')
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
          {percent} %
        </Button>
        <IconButton icon="plus" label="Zoom in" onClick={() => void flow.zoomIn()} />
        <IconButton icon="maximize" label="Fit all in view" onClick={() => fitView()} />
        {tidy !== undefined && <IconButton icon="workflow" label="Tidy up" onClick={() => tidy.run()} />}
        {children}
      </Panel>
    </>
  )
}

/** Whole per cent, so that a pan or a very small zoom causes no render. */
const percentOf = ({ transform }: ReactFlowState) => Math.round(transform[2] * 100)

/** What only the builder's canvas has: the search of the drawing and two switches. */
export function BuilderTools() {
  const commands = useCommandStore()
  const isMac = useIsMac()
  const ui = useCanvasUiStore()
  const snaps = useCanvasUi((state) => state.snaps)
  const hasMap = useCanvasUi((state) => state.hasMap)
  return (
    <>
      <IconButton
        icon="search"
        label="Find on the canvas"
        title={`Find on the canvas (${keyText('Mod+F', isMac)})`}
        aria-haspopup="dialog"
        onClick={() => commands.setState({ opened: 'find' })}
      />
      <IconButton
        icon="magnet"
        label="Snap to the grid"
        pressed={snaps}
        onClick={() => ui.setState({ snaps: !snaps })}
      />
      <span className={styles.mapSwitch}>
        <IconButton
          icon="map"
          label="Map of the drawing"
          pressed={hasMap}
          onClick={() => ui.setState({ hasMap: !hasMap })}
        />
      </span>
    </>
  )
}

export const MiniMapCorner = memo(function MiniMapCorner() {
  const isEmpty = useGraph((state) => state.nodes.length === 0)
  if (isEmpty) return null
  return (
    <MiniMap<FlowNode>
      className={styles.map}
      ariaLabel="Map of the drawing"
      nodeColor={colour}
      nodeComponent={MapNode}
      nodeStrokeWidth={0}
      nodeBorderRadius={8}
      bgColor="var(--panel)"
      maskColor="color-mix(in srgb, var(--ink-3) 12%, transparent)"
      pannable
      zoomable
    />
  )
})

function colour(node: FlowNode): string {
  if (node.type === 'frame') return 'color-mix(in srgb, var(--line-2) 32%, transparent)'
  return node.selected ? 'var(--ink-2)' : 'var(--line-2)'
}

/**
 * Names are drawn larger the further away the drawing is, so that on the screen they stay at least 11 px high;
 * from farthest away there is no room for them. Each level ends where its letters would become smaller.
 */
const nameLevels: readonly (readonly [least: number, level: string])[] = [
  [0.85, 'own'],
  [0.7, 'large'],
  [0.5, 'double'],
  [0.35, 'triple'],
  [0.22, 'huge'],
]

const nameLevel = ({ transform }: ReactFlowState) =>
  nameLevels.find(([least]) => transform[2] >= least)?.[1] ?? 'none'

/**
 * Marks the zoom level for the style sheet, which hides letters too small to read and enlarges names, and marks
 * when a person is panning.
 */
export const ZoomMark = memo(function ZoomMark() {
  const level = useStore((state) =>
    state.transform[2] < 0.22 ? 'far' : state.transform[2] < 0.7 ? 'mid' : 'near',
  )
  const names = useStore(nameLevel)
  // Different thresholds, because changing hundreds of cards at once would take a frame or two.
  const isPortless = useStore((state) => state.transform[2] < 0.45)
  const isSpeck = useStore((state) => state.transform[2] < 0.2)
  const mark = useRef<HTMLSpanElement>(null)
  const zoomBefore = useRef(0)
  const push = useCallback(
    (isPushed: boolean) => mark.current?.closest('[data-canvas]')?.toggleAttribute('data-pushed', isPushed),
    [],
  )
  // These must keep the same identity: each new function would change the library's store.
  const onStart = useCallback(({ zoom }: Viewport) => {
    zoomBefore.current = zoom
  }, [])
  const onChange = useCallback(({ zoom }: Viewport) => void push(zoom === zoomBefore.current), [push])
  const onEnd = useCallback(() => void push(false), [push])
  useOnViewportChange({ onStart, onChange, onEnd })
  useEffect(() => {
    const marked = mark.current?.closest<HTMLElement>('[data-canvas]')
    if (!marked) return
    marked.dataset.zoom = level
    marked.dataset.names = names
    marked.toggleAttribute('data-portless', isPortless)
    marked.toggleAttribute('data-speck', isSpeck)
  }, [level, names, isPortless, isSpeck])
  return <span ref={mark} hidden />
})
