/**
 * What is open on the canvas besides the drawing: the picker, a menu, a text being edited, and the drag aids.
 */
import type { XYPosition } from '@xyflow/react'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Guide } from '#components/drawing/guides'
import type { PortRef } from '#components/drawing/wiring'

/**
 * A part is about to be chosen: where the list opens on screen, where the part will be placed, and which wire
 * it will take.
 */
export interface Picking {
  readonly at: XYPosition
  readonly place: XYPosition
  readonly from?: PortRef & { readonly end: 'source' | 'target' }
}

export type MenuTarget =
  | { readonly on: 'canvas'; readonly place: XYPosition }
  | { readonly on: 'wire'; readonly id: string }
  /** The selection: one card, note or frame, or several items. */
  | { readonly on: 'selection' }

export interface OpenMenu {
  readonly at: XYPosition
  readonly target: MenuTarget
}

export interface CanvasUi {
  readonly picking: Picking | null
  readonly menu: OpenMenu | null
  /** The note, frame or card (by its id on the canvas) whose text is being edited in place. */
  readonly writing: string | null
  readonly guides: readonly Guide[]
  readonly snaps: boolean
  readonly hasMap: boolean
}

export type CanvasUiStore = StoreApi<CanvasUi>

export function createCanvasUi(): CanvasUiStore {
  return createStore<CanvasUi>(() => ({
    picking: null,
    menu: null,
    writing: null,
    guides: [],
    snaps: true,
    hasMap: true,
  }))
}
