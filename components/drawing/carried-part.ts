/** A part that is being dragged from the palette to the canvas. */
import type { JsonObject } from '#lib/spec/json'

/** What the palette hands over: a node kind with the settings of a new node, a note, or a frame. */
export type PalettePart =
  | { readonly note: true; readonly frame?: false }
  | { readonly frame: true; readonly note?: false }
  | { readonly note?: false; readonly frame?: false; readonly kind: string; readonly config?: JsonObject }
