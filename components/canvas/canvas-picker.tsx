'use client'
/**
 * The list that opens where a wire was dropped on empty canvas, or where a person asked for a part. The
 * chosen part is placed there and wired.
 */
import { useCallback, useMemo } from 'react'
import type { PalettePart } from '#components/drawing/carried-part'
import { useGraphStore } from '#components/drawing/graph-context'
import { addPart, frameSize } from '#components/drawing/part'
import { onlyKinds, type PaletteSection } from '#components/palette/palette-items'
import { PartPicker } from '#components/palette/part-picker'
import { usePaletteSections } from '#components/palette/use-palette-sections'
import { kindsThatFit } from '#lib/graph/fitting'
import { isAgent, kindOf } from '#lib/graph/kinds'
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument } from '#lib/spec/graph'
import type { Picking } from './canvas-ui'
import { useCanvasUi, useCanvasUiStore } from './canvas-ui-context'

export function CanvasPicker() {
  const picking = useCanvasUi((state) => state.picking)
  const ui = useCanvasUiStore()
  const store = useGraphStore()
  const all = usePaletteSections()
  const close = useCallback(() => ui.setState({ picking: null }), [ui])
  const parts = useMemo(() => {
    if (picking === null) return []
    const { history, catalog } = store.getState()
    return partsFor(picking, all, { graph: history.present, catalog })
  }, [picking, store, all])
  if (picking === null) return null
  const pick = (part: PalettePart) => {
    const { catalog, history } = store.getState()
    const at = placeOf(part, picking, { graph: history.present, catalog })
    store.getState().point(picking.at)
    const id = addPart({ store, part, at, ...(picking.from !== undefined && { from: picking.from }) })
    if (id === undefined) return
    // A new note or frame opens for writing.
    if (part.note || part.frame) ui.setState({ writing: id })
  }
  const label = picking.from === undefined ? 'Add a part' : `What fits “${picking.from.port}”`
  return <PartPicker at={picking.at} parts={parts} label={label} onPick={pick} onClose={close} />
}

export function partsFor(
  { from }: Pick<Picking, 'from'>,
  all: readonly PaletteSection[],
  { graph, catalog }: { readonly graph: GraphDocument; readonly catalog: Catalog },
): readonly PaletteSection[] {
  if (from !== undefined)
    return onlyKinds(all, new Set(kindsThatFit(graph, catalog, from).map(({ kind }) => kind)))
  const hasAgent = graph.nodes.some(({ kind }) => isAgent(kindOf(catalog, kind)))
  if (!hasAgent) return all
  const isSecond = ({ part }: { part: PalettePart }) =>
    !part.note && !part.frame && isAgent(kindOf(catalog, part.kind))
  return all.map((each) => ({ ...each, items: each.items.filter((item) => !isSecond(item)) }))
}

/** Places the part so that the end of the wire, or else the middle of the card, is at the point. */
function placeOf(
  part: PalettePart,
  { place, from }: Picking,
  { graph, catalog }: { graph: GraphDocument; catalog: Catalog },
): { x: number; y: number } {
  if (part.note) return { x: place.x - 88, y: place.y - 20 }
  if (part.frame) return { x: place.x - frameSize[0] / 2, y: place.y - frameSize[1] / 2 }
  const kind = kindOf(catalog, part.kind)
  const width = kind?.family === 'policy' || kind?.family === 'mcp' ? 176 : 200
  if (from === undefined) return { x: place.x - width / 2, y: place.y - 24 }
  const other = graph.nodes.find((each) => each.id === from.node)
  // A policy is placed above the agent it covers, and left of a tool entry it covers.
  if (kind?.out === 'policy' && isAgent(kindOf(catalog, other?.kind ?? '')))
    return { x: place.x - width / 2, y: place.y - 48 }
  return { x: from.end === 'target' ? place.x - width : place.x, y: place.y - 24 }
}
