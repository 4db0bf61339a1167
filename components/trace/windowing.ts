/** Where the rows of a long list stand, and which of them are in view: rows of one height, opened ones taller. */
import type { Row } from './row'

/** As `--row`. */
export const rowHeight = 24
/** What an opened row hangs under itself. */
export const openHeight = 192

export interface PlacedRow {
  readonly row: Row
  readonly index: number
  readonly top: number
  readonly isOpen: boolean
}

export function place(
  rows: readonly Row[],
  opened: ReadonlySet<string>,
): { items: PlacedRow[]; height: number } {
  let top = 0
  const items = rows.map((row, index) => {
    const isOpen = opened.has(row.id)
    const placed = { row, index, top, isOpen }
    top += rowHeight + (isOpen ? openHeight : 0)
    return placed
  })
  return { items, height: top }
}

/** Those in view and a few more on either side, so that scrolling never shows a gap. */
export function seen(
  items: readonly PlacedRow[],
  view: { top: number; height: number },
): readonly PlacedRow[] {
  const margin = 10 * rowHeight
  const from = firstBelow(items, view.top - margin - openHeight)
  const to = firstBelow(items, view.top + view.height + margin)
  return items.slice(from, to)
}

function firstBelow(items: readonly PlacedRow[], top: number): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((items[middle]?.top ?? 0) < top) low = middle + 1
    else high = middle
  }
  return low
}
