/**
 * The clipboard: the selection is copied as JSON and pasted at the pointer, or in the nearest free place; other content is refused with a
 * line that says what it was.
 */

import type { XYPosition } from '@xyflow/react'
import { boxOf, chosenIds } from '#components/drawing/boxes'
import type { FlowNode } from '#components/drawing/flow'
import { freeShift } from '#components/drawing/free-place'
import type { GraphStore } from '#components/drawing/graph-store'
import { deleteSelection, moveTo, roundPosition, selectDrawn } from '#components/drawing/part'
import { type Clip, clip, copyNodes, hull, paste } from '#lib/graph/edit'
import { isObject, tryParseJson } from '#lib/spec/json'

/** The selection as text; undefined when nothing is selected. */
export function copySelection(store: GraphStore): string | undefined {
  const { selection, history, nodes } = store.getState()
  const ids = chosenIds(selection)
  if (ids.length === 0) return undefined
  const homed = moveTo(history.present, nodes, new Set()).graph
  return JSON.stringify(copyNodes(homed, ids), null, 2)
}

export function cutSelection(store: GraphStore): string | undefined {
  const text = copySelection(store)
  if (text !== undefined) deleteSelection(store)
  return text
}

/** Pastes the text's contents around a point, or shows at the pointer what the text was instead. */
export function pasteText(store: GraphStore, text: string, place: XYPosition): void {
  const found = readClip(text)
  if ('not' in found) {
    store.getState().say(found.not)
    return
  }
  const { edit, nodes } = store.getState()
  const by = shiftTo(found.clip, place, nodes)
  let added: readonly string[] = []
  edit((graph, catalog) => {
    const done = paste(moveTo(graph, nodes, new Set()).graph, found.clip, by, catalog)
    added = done.added
    return added.length === 0 ? { ...done, graph } : done
  })
  if (added.length > 0) selectDrawn(store, added)
}

/** The shift that moves the middle of the copied items to the point, or to the nearest free place. */
function shiftTo({ nodes, notes, frames }: Clip, place: XYPosition, shown: readonly FlowNode[]): XYPosition {
  const cards = nodes.flatMap(({ id, at }) =>
    at === undefined
      ? []
      : [boxOf({ id, type: 'card', position: at, data: { node: { id, kind: '', config: {} } } })],
  )
  const asBox = ({ at: [x, y], size: [width, height] = [176, 64] }: Clip['notes'][number]) => ({
    x,
    y,
    width,
    height,
  })
  const solid = [...cards, ...notes.map(asBox)]
  const box = hull([
    ...solid,
    ...frames.map(({ at: [x, y], size: [width, height] }) => ({ x, y, width, height })),
  ])
  if (box === undefined) return { x: 0, y: 0 }
  const by = roundPosition({ x: place.x - box.x - box.width / 2, y: place.y - box.y - box.height / 2 })
  const further = freeShift(
    shown,
    solid.map((each) => ({ ...each, x: each.x + by.x, y: each.y + by.y })),
  )
  return { x: by.x + (further?.x ?? 0), y: by.y + (further?.y ?? 0) }
}

/** The clip, or one line that says what the text was instead. */
export function readClip(text: string): { readonly clip: Clip } | { readonly not: string } {
  if (text.trim() === '') return { not: 'The clipboard holds no text, so there is nothing to paste here.' }
  const value = tryParseJson(text)
  if (value === undefined)
    return { not: 'The clipboard holds text, not parts. Paste it into a note or a field.' }
  const read = clip.safeParse(value)
  if (read.success) return { clip: read.data }
  if (!isObject(value)) return { not: 'The clipboard holds JSON, but no parts of a drawing.' }
  if (value.loopwright === 'clip')
    return { not: 'These parts were copied by another version and cannot be read here.' }
  if ('use' in value || 'provider' in value)
    return { not: 'That is the JSON of one part. Add the part, then set its fields in the inspector.' }
  if ('name' in value && ['model', 'tools', 'policies', 'instructions'].some((key) => key in value))
    return { not: 'That is the JSON of a whole agent. Import it on the Agents page.' }
  return { not: 'The clipboard holds JSON, but no parts of a drawing.' }
}
