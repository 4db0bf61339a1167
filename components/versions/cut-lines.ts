/** Leaves out long stretches of unchanged lines. Pure. */
import type { DiffLine } from '#lib/graph/diff'

export type LineRun =
  | { readonly kind: 'shown'; readonly at: number; readonly lines: readonly DiffLine[] }
  | { readonly kind: 'hidden'; readonly at: number; readonly count: number }

/** Unchanged lines shown around each change. */
const around = 3

export function cutLines(lines: readonly DiffLine[]): LineRun[] {
  const isShown = new Uint8Array(lines.length)
  let until = -1
  lines.forEach((line, index) => {
    if (line.kind === 'same') {
      if (index <= until) isShown[index] = 1
      return
    }
    until = index + around
    for (let near = Math.max(0, index - around); near <= index; near++) isShown[near] = 1
  })
  const runs: LineRun[] = []
  for (let at = 0; at < lines.length; ) {
    let end = at + 1
    while (end < lines.length && isShown[end] === isShown[at]) end += 1
    // Leaving out a single line would save no space.
    if (isShown[at] === 1 || end - at === 1) runs.push({ kind: 'shown', at, lines: lines.slice(at, end) })
    else runs.push({ kind: 'hidden', at, count: end - at })
    at = end
  }
  return runs
}

/** The first runs, with at most `most` lines; a stretch that is left out counts as one line. */
export function firstRuns(runs: readonly LineRun[], most: number): LineRun[] {
  const first: LineRun[] = []
  let left = most
  for (const run of runs) {
    if (left <= 0) break
    first.push(run.kind === 'hidden' ? run : { ...run, lines: run.lines.slice(0, left) })
    left -= rowsOf(run)
  }
  return first
}

/** How many rows it takes to show all runs. */
export function countRows(runs: readonly LineRun[]): number {
  return runs.reduce((sum, run) => sum + rowsOf(run), 0)
}

function rowsOf(run: LineRun): number {
  return run.kind === 'hidden' ? 1 : run.lines.length
}
