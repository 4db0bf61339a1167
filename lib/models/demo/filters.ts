/** The filters of a plan's rows: values, times and flags, each on its column. */
import type { Path } from './joins'
import type { Measure } from './measure'
import type { Period } from './period'
import type { ReadQuestion } from './question'
import type { Column, Table } from './schema'

export type RowFilter =
  | { readonly type: 'equals'; readonly column: Column; readonly values: readonly string[] }
  | { readonly type: 'flag'; readonly column: Column; readonly set: boolean }
  | { readonly type: 'period'; readonly column: Column; readonly period: Period }

/** A value of the question and the columns in which the database has it. */
export interface ValuePlace {
  readonly value: string
  readonly columns: readonly Column[]
}

export interface Framed {
  readonly question: ReadQuestion
  readonly places: readonly ValuePlace[]
  readonly table: Table
  readonly measure?: Measure
  readonly paths: ReadonlyMap<string, Path>
}

/**
 * The date column that a span of time applies to: one named in the question, else the nearest that is not a
 * birthday.
 */
export function dateColumn(
  { tables, mentions }: ReadQuestion,
  from: Table,
  paths: ReadonlyMap<string, Path>,
): Column | undefined {
  const named = (column: Column) => mentions.some((each) => each.column === column)
  const cost = (column: Column) => {
    const path = paths.get(column.table)
    if (path === undefined) return Number.POSITIVE_INFINITY
    const unlikely = column.stems.some((each) =>
      /^(birth|birthday|born|dob|created|updated|modified)$/.test(each),
    )
    return (
      path.joins.length +
      (path.fansOut ? 20 : 0) +
      (unlikely ? 10 : 0) -
      (named(column) ? 50 : 0) +
      (column.table === from.name ? -0.5 : 0)
    )
  }
  const dates = tables
    .flatMap((each) => each.columns)
    .filter((each) => each.kind === 'date' || each.kind === 'year')
  const [best] = dates
    .filter((each) => Number.isFinite(cost(each)))
    .sort((one, other) => cost(one) - cost(other))
  return best
}

/** The filters of the plan, and sentences on what in the question cannot be turned into a filter. */
export function limits({ question, places, measure, table, paths }: Framed): {
  filters: RowFilter[]
  notes: string[]
} {
  const notes: string[] = []
  const wanted = new Map<Column, string[]>()
  for (const { value, columns } of places) {
    const column = columns
      .filter((each) => paths.has(each.table))
      .sort((one, other) => joinsTo(one, paths) - joinsTo(other, paths))[0]
    if (column === undefined) notes.push(`I found no "${value}" in the data, so nothing is limited to it.`)
    else wanted.set(column, [...(wanted.get(column) ?? []), value])
  }
  const filters: RowFilter[] = [...wanted].map(([column, values]) => ({ type: 'equals', column, values }))
  if (question.period !== undefined) {
    const column = dateColumn(question, table, paths)
    const fits = column?.kind === 'date' || (column?.kind === 'year' && question.period.years !== undefined)
    if (column === undefined || !fits)
      notes.push(`I found no date to limit it to ${question.period.words.replace(/^in /, '')}.`)
    else filters.push({ type: 'period', column, period: question.period })
  }
  return { filters: [...filters, ...flags(question, measure, paths)], notes }
}

function joinsTo(column: Column, paths: ReadonlyMap<string, Path>): number {
  const path = paths.get(column.table)
  return path === undefined ? Number.POSITIVE_INFINITY : path.joins.length + (path.fansOut ? 20 : 0)
}

/** Flags named in the question, required or excluded, and those that the measure leaves out. */
function flags(
  { mentions, words }: ReadQuestion,
  measure: Measure | undefined,
  paths: ReadonlyMap<string, Path>,
): RowFilter[] {
  const filters = new Map<Column, RowFilter>()
  for (const column of measure?.without ?? []) filters.set(column, { type: 'flag', column, set: false })
  for (const { column, at } of mentions) {
    if (
      column?.kind !== 'flag' ||
      !paths.has(column.table) ||
      (measure?.aggregate === 'share' && measure.columns.includes(column))
    )
      continue
    const before = words.slice(Math.max(0, at - 2), at).map((each) => each.stem)
    filters.set(column, {
      type: 'flag',
      column,
      set: !before.some((each) => /^(without|excluding|except|not|no|non|never|minus|net)$/.test(each)),
    })
  }
  return [...filters.values()]
}
