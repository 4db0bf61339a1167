/** A part on its way from the palette to the canvas. */
import type { JsonObject } from '#lib/spec/json'

/** What the palette hands over: a kind with what a fresh node of it holds, a note or a frame. */
export type PalettePart =
  | { readonly note: true; readonly frame?: false }
  | { readonly frame: true; readonly note?: false }
  | { readonly note?: false; readonly frame?: false; readonly kind: string; readonly config?: JsonObject }
