/**
 * The rows as the table stacks them: one chunk per step, so that finished steps are neither read nor placed
 * again while events arrive.
 */
import { isSettled } from '#lib/agent/state/reading'
import type { RunState, StepState } from '#lib/spec/state'
import type { Row } from './row'
import { headRows, lastRows, rowsOfStep, stepId } from './rows'
import type { View } from './use-view'

/** The assumed extra height of an opened row, in CSS pixels, until it has been measured. */
export const guessedHeight = 160

/** How a person has set up the rows: which are folded, which are opened, and which are shown. */
export interface Look {
  readonly folded: ReadonlySet<string>
  /** Row id → the height of what is opened below it, in pixels. */
  readonly opened: ReadonlyMap<string, number>
  /** Null shows all. */
  readonly keep: ((row: Row) => boolean) | null
  /** The height of every row, in CSS pixels. */
  readonly rowHeight: number
}

/** Rows that are stacked together, with the chunk's start in pixels and in rows. */
export interface Chunk {
  readonly rows: readonly Row[]
  /** The top of each row, in pixels from the top of the chunk. */
  readonly tops: readonly number[]
  readonly height: number
  readonly top: number
  readonly first: number
}

export interface TraceList {
  readonly chunks: readonly Chunk[]
  readonly count: number
  readonly height: number
}

export const emptyList: TraceList = { chunks: [], count: 0, height: 0 }

/** Keeps finished chunks between updates; each table needs its own. */
export function createTraceList(): (state: RunState, look: Look) => TraceList {
  let chunks: Chunk[] = []
  let known: { state: RunState; look: Look } | null = null
  /** How many chunks, from the first, can no longer change. */
  let over = 0
  return (state, look) => {
    if (known?.state !== state || known.look !== look) {
      over = 0
      known = { state, look }
    }
    chunks = chunks.slice(0, over)
    const put = (rows: readonly Row[]) => chunks.push(chunkOf(rows, chunks.at(-1), look))
    const { steps } = state
    if (chunks.length === 0) put(filterRows(headRows(state, look.folded), look))
    for (let index = chunks.length - 1; index < steps.length; index++) {
      const step = steps[index]
      if (step !== undefined) put(filterStepRows(state, step, look))
    }
    over = overIn(state)
    put(filterRows(lastRows(state), look))
    const last = chunks.at(-1)
    return last === undefined
      ? emptyList
      : { chunks, count: last.first + last.rows.length, height: last.top + last.height }
  }
}

/** Counts the chunk before the steps, plus the leading finished steps. */
function overIn({ tools, steps, background = [] }: RunState): number {
  // Before the first step, hooks may still add rows there.
  if (tools === undefined || steps.length === 0) return 0
  // Only a call in the background can change a step before the last.
  const last = steps.length - 1
  const moving = background.length > 0 ? steps.findIndex((step) => !isSettled(step)) : last
  const step = steps[moving]
  return 1 + (step === undefined || isSettled(step) ? steps.length : moving)
}

function filterRows(rows: readonly Row[], { keep }: Look): readonly Row[] {
  return keep === null ? rows : rows.filter(keep)
}

const nothingFolded: ReadonlySet<string> = new Set()

/** The head of a step is shown only if at least one of its rows passes the filter. */
function filterStepRows(state: RunState, step: StepState, { folded, keep }: Look): readonly Row[] {
  const rows = rowsOfStep(state, step, folded)
  if (keep === null) return rows
  const found = rowsOfStep(state, step, nothingFolded).filter((each) => each.kind !== 'step' && keep(each))
  if (found.length === 0) return []
  const head = rows.filter(({ kind }) => kind === 'step').slice(0, 1)
  return folded.has(stepId(step)) ? head : [...head, ...found]
}

function chunkOf(rows: readonly Row[], before: Chunk | undefined, { opened, rowHeight }: Look): Chunk {
  let height = 0
  const tops = rows.map((each) => {
    const top = height
    height += rowHeight + (opened.get(each.id) ?? 0)
    return top
  })
  const top = before === undefined ? 0 : before.top + before.height
  const first = before === undefined ? 0 : before.first + before.rows.length
  return { rows, tops, height, top, first }
}

export interface PlacedRow {
  readonly row: Row
  readonly index: number
  readonly top: number
}

/** CSS pixels above and below the view in which rows are rendered too, so that scrolling shows no gap. */
const margin = 240

/** The rows in view and a few more on either side. */
export function seen(list: TraceList, view: View): PlacedRow[] {
  const from = view.top - margin
  const to = view.top + view.height + margin
  const found: PlacedRow[] = []
  const { chunks } = list
  for (let at = lastUpTo(chunks, (each) => each.top, from); at < chunks.length; at++) {
    const chunk = chunks[at]
    if (chunk === undefined || chunk.top > to) break
    for (
      let index = lastUpTo(chunk.tops, (top) => top, from - chunk.top);
      index < chunk.rows.length;
      index++
    ) {
      const top = chunk.top + (chunk.tops[index] ?? 0)
      if (top > to) return found
      const row = chunk.rows[index]
      if (row !== undefined) found.push({ row, top, index: chunk.first + index })
    }
  }
  return found
}

/** The row at this index, counted from 0. */
export function rowAt({ chunks }: TraceList, index: number): PlacedRow | undefined {
  const chunk = chunks[lastUpTo(chunks, (each) => each.first, index)]
  const row = chunk?.rows[index - chunk.first]
  if (chunk === undefined || row === undefined) return undefined
  return { row, index, top: chunk.top + (chunk.tops[index - chunk.first] ?? 0) }
}

export function findRow({ chunks }: TraceList, id: string): PlacedRow | undefined {
  for (const chunk of chunks) {
    const at = chunk.rows.findIndex((each) => each.id === id)
    if (at >= 0) return rowAt({ chunks, count: 0, height: 0 }, chunk.first + at)
  }
  return undefined
}

/** The last row that had started by then, in milliseconds since 1970. */
export function rowBy({ chunks }: TraceList, time: number): PlacedRow | undefined {
  const begun = (each: Row) => each.at !== null && each.at <= time
  for (let at = chunks.length - 1; at >= 0; at--) {
    const chunk = chunks[at]
    const index = chunk?.rows.findLastIndex(begun) ?? -1
    if (chunk !== undefined && index >= 0) return rowAt({ chunks, count: 0, height: 0 }, chunk.first + index)
  }
  return undefined
}

/**
 * The index of the last item whose figure is at most `limit`, or 0 when there is none. Figures must not
 * decrease; of equal ones the last counts.
 */
function lastUpTo<T>(all: readonly T[], figure: (each: T) => number, limit: number): number {
  let low = 0
  let high = all.length
  while (low < high) {
    const middle = (low + high) >> 1
    const each = all[middle]
    if (each !== undefined && figure(each) <= limit) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}
