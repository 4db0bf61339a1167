'use client'
/** The height of a row of the trace and of the list of events, in CSS pixels, as `--row` in the style sheets. */
import { oneColumn, useMedia } from '#components/ui/use-media'

/** Low, so that many rows are in view. */
export const rowHeight = 24
/** Where the page is one column, rows are as high as a thumb needs. */
export const touchRowHeight = 44

export function useRowHeight(): number {
  return useMedia(oneColumn) ? touchRowHeight : rowHeight
}
