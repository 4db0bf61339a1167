'use client'
/**
 * Handles parts dragged from the palette: places them where they are dropped, or inserts them into the wire
 * below.
 */
import { useReactFlow } from '@xyflow/react'
import { type DragEvent, useCallback } from 'react'
import type { PalettePart } from '#components/drawing/carried-part'
import { noteFlowId } from '#components/drawing/flow'
import { useGraphStore } from '#components/drawing/graph-context'
import type { GraphStore } from '#components/drawing/graph-store'
import { addPart, carriedPart, readPart } from '#components/drawing/part'
import type { CanvasUiStore } from './canvas-ui'
import { highlightWire, type Landing, landingAt } from './landing'

/** Where the pointer holds a dropped card: on its tile. */
const grip = { x: 24, y: 24 }

export function useDrop(ui: CanvasUiStore) {
  const store = useGraphStore()
  const { screenToFlowPosition } = useReactFlow()
  const onDragOver = useCallback(
    (event: DragEvent) => {
      const part = carriedPart()
      if (part === undefined) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
      const landing = landingFor(store, event, part)
      highlightWire(landing?.answer.ok ? landing.wire : null)
    },
    [store],
  )
  const onDragLeave = useCallback((event: DragEvent) => {
    const isWithin = event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)
    if (!isWithin) highlightWire(null)
  }, [])
  const onDrop = useCallback(
    (event: DragEvent) => {
      const part = readPart(event.dataTransfer)
      if (part === undefined) return
      event.preventDefault()
      highlightWire(null)
      const pointer = { x: event.clientX, y: event.clientY }
      store.getState().point(pointer)
      const landing = landingFor(store, event, part)
      const place = screenToFlowPosition({ x: pointer.x - grip.x, y: pointer.y - grip.y })
      const wire = landing?.answer.ok ? landing.wire : undefined
      const id = addPart({ store, part, at: place, ...(wire !== undefined && { into: wire }) })
      if (landing?.answer.ok === false) store.getState().say(landing.answer.reason, pointer)
      if (id !== undefined && part.note) ui.setState({ writing: noteFlowId(id) })
    },
    [store, screenToFlowPosition, ui],
  )
  return { onDragOver, onDragLeave, onDrop }
}

function landingFor(store: GraphStore, event: DragEvent, part: PalettePart): Landing | undefined {
  if (part.note || part.frame) return undefined
  const fresh = { kind: part.kind, config: part.config ?? {} }
  return landingAt(store, { x: event.clientX, y: event.clientY }, fresh)
}
