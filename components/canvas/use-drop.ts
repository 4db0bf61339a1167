'use client'
/**
 * Handles parts dragged from the palette: a drop on a card wires the part to it, a drop on a wire inserts the
 * part, and any other drop places it there, wired to the agent if it can be.
 */
import { useReactFlow } from '@xyflow/react'
import { type DragEvent, useCallback } from 'react'
import type { PalettePart } from '#components/drawing/carried-part'
import { useGraphStore } from '#components/drawing/graph-context'
import type { GraphStore } from '#components/drawing/graph-store'
import { type Adding, addPart, carriedPart, readPart } from '#components/drawing/part'
import { wireBetween } from '#lib/graph/fitting'
import { kindOf } from '#lib/graph/kinds'
import type { CanvasUiStore } from './canvas-ui'
import { cardUnder, highlightCard, highlightWire, landingAt } from './landing'

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
      const { onto, into } = targetOf(store, event, part)
      if (onto === undefined) highlightWire(into ?? null)
      else highlightCard(onto)
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
      const at = screenToFlowPosition({ x: pointer.x - grip.x, y: pointer.y - grip.y })
      const { onto, into, isRefused } = targetOf(store, event, part)
      const id = addPart({ store, part, at, onto, into })
      if (isRefused) sayWhereItWent(store, part, id)
      if (id !== undefined && part.note) ui.setState({ writing: id })
    },
    [store, screenToFlowPosition, ui],
  )
  return { onDragOver, onDragLeave, onDrop }
}

interface Target extends Pick<Adding, 'onto' | 'into'> {
  /** It is over a wire that cannot hold it. */
  readonly isRefused?: boolean
}

/** The card that the part would be wired to, or else the wire that it would be inserted into. */
function targetOf(store: GraphStore, event: DragEvent, part: PalettePart): Target {
  if (part.note || part.frame) return {}
  const at = { x: event.clientX, y: event.clientY }
  const { history, catalog } = store.getState()
  const card = cardUnder(at)
  if (card !== undefined)
    return wireBetween(history.present, catalog, { known: card, node: '', kind: part.kind }) === undefined
      ? {}
      : { onto: card }
  const landing = landingAt(store, at, { kind: part.kind, config: part.config ?? {} })
  return landing?.answer.ok ? { into: landing.wire } : { isRefused: landing !== undefined }
}

/** A policy for the whole run, dropped on the wire of one tool, may have been meant for that tool alone. */
function sayWhereItWent(store: GraphStore, part: PalettePart, id: string | undefined): void {
  const { history, catalog, say } = store.getState()
  const kind = part.note || part.frame ? undefined : kindOf(catalog, part.kind)
  const isWired = history.present.edges.some(({ from }) => from.node === id)
  if (kind?.out === 'policy' && kind.scoped !== true && isWired)
    say(`${kind.label} always covers the whole run, so it was wired to the agent.`)
}
