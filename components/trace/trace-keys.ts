/** What a key does in the tree of rows: which row it moves to, or what it folds. Pure. */
import type { Row } from './row'
import { rowAt, type TraceList } from './trace-list'

export type KeyAct =
  | { readonly do: 'go'; readonly index: number }
  | { readonly do: 'fold' }
  | { readonly do: 'choose' }

/**
 * `at` is the index of the active row, and `page` the number of rows in view. Undefined when the key does
 * nothing here.
 */
export function keyAct(list: TraceList, at: number, key: string, page: number): KeyAct | undefined {
  const row = rowAt(list, at)?.row
  const go = (index: number): KeyAct | undefined =>
    list.count === 0 ? undefined : { do: 'go', index: Math.min(Math.max(0, index), list.count - 1) }
  switch (key) {
    case 'ArrowDown':
      return go(at + 1)
    case 'ArrowUp':
      return go(at - 1)
    case 'PageDown':
      return go(at + page)
    case 'PageUp':
      return go(at - page)
    case 'Home':
      return go(0)
    case 'End':
      return go(list.count - 1)
    case 'ArrowRight':
      if (row?.open === false) return { do: 'fold' }
      return row?.open === true ? go(at + 1) : undefined
    case 'ArrowLeft':
      if (row?.open === true) return { do: 'fold' }
      return row === undefined || row.depth === 0 ? undefined : go(headAbove(list, at))
    case 'Enter':
    case ' ':
      return row === undefined ? undefined : { do: 'choose' }
    default:
      // All other keys are left to whoever else listens.
      return undefined
  }
}

/** The parent row: the next one above with a smaller depth. */
function headAbove(list: TraceList, at: number): number {
  const depth = rowAt(list, at)?.row.depth ?? 0
  for (let index = at - 1; index >= 0; index--) {
    const above = rowAt(list, index)?.row
    if (above !== undefined && above.depth < depth) return index
  }
  return at
}

/** The step head before or after a row; undefined where there is none. */
export function stepBeside(list: TraceList, at: number, by: 1 | -1): number | undefined {
  for (let index = at + by; index >= 0 && index < list.count; index += by)
    if (rowAt(list, index)?.row.kind === 'step') return index
  return undefined
}

/** Rows that may have more text than fits on a line. */
const wordy: ReadonlySet<Row['kind']> = new Set(['thought', 'answer', 'notice', 'retry'])

export function canOpen(row: Row): boolean {
  return row.kind !== 'file' && (row.call !== undefined || wordy.has(row.kind))
}
