/** Which runs of the list are ticked. Pure. */

export interface Picks {
  readonly ids: ReadonlySet<string>
  /** The row ticked last, from which a range begins. */
  readonly last: string | null
}

export const noPicks: Picks = { ids: new Set(), last: null }

/** Ticks or unticks a row; with `isRange`, all rows from the last one to it become as it becomes. */
export function pick(
  { ids, last }: Picks,
  { id, isRange, rows }: { id: string; isRange: boolean; rows: readonly string[] },
): Picks {
  const isTicked = !ids.has(id)
  const from = isRange && last !== null ? rows.indexOf(last) : -1
  const to = rows.indexOf(id)
  const range = from < 0 || to < 0 ? [id] : rows.slice(Math.min(from, to), Math.max(from, to) + 1)
  const next = new Set(ids)
  for (const each of range) {
    if (isTicked) next.add(each)
    else next.delete(each)
  }
  return { ids: next, last: id }
}

/** Ticks every row, or none if all are ticked. */
export function pickAll({ ids }: Picks, rows: readonly string[]): Picks {
  return rows.every((id) => ids.has(id)) ? noPicks : { ids: new Set(rows), last: null }
}

/** Without rows that are no longer listed. */
export function pickedOf({ ids }: Picks, rows: readonly string[]): string[] {
  return rows.filter((id) => ids.has(id))
}
