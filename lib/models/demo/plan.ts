/** Makes a plan from a question and a schema: what to calculate, how to group it, and how to filter it. */
import { addTo } from '#lib/spec/lists'
import { distance, type Paths, pathsFrom } from './joins'
import { findMeasure, type Measure } from './measure'
import type { Period } from './period'
import type { Mention, ReadQuestion } from './question'
import type { Column, SqlTable } from './schema'
import { pickLeast, spellName } from './words'

export interface Group {
  /** The column shown. */
  readonly label: Column
  /** Set if different things may have the same label. */
  readonly key?: Column
  readonly part?: 'year' | 'month'
  readonly words: string
}

export type RowFilter =
  | { readonly type: 'equals'; readonly column: Column; readonly values: readonly string[] }
  | { readonly type: 'unset'; readonly column: Column }
  | { readonly type: 'period'; readonly column: Column; readonly period: Period }

export interface QueryPlan {
  readonly measure: Measure
  readonly group?: Group
  readonly filters: readonly RowFilter[]
  readonly order: 'desc' | 'asc' | 'label'
  readonly limit: number
  /** Whether the first row is the answer. */
  readonly lead: boolean
  readonly paths: Paths
  /** Sentences on parts of the question that the plan ignores. */
  readonly notes: readonly string[]
}

/** A value of the question and the columns in which the database has it. */
export interface ValuePlace {
  readonly value: string
  readonly columns: readonly Column[]
}

const rowsAtMost = 20
/** Five years of months. */
const timesAtMost = 60

/** Undefined if no rule can interpret the question. */
export function makePlan(question: ReadQuestion, places: readonly ValuePlace[]): QueryPlan | undefined {
  const { rank, top, groups } = question
  const measure = findMeasure(question)
  if (measure === undefined) return undefined
  const paths = pathsFrom(measure.table, question.tables)
  const { filters, notes } = findFilters(question, places, { measure, paths })
  const group = findGroup(question, measure, paths)
  const [wanted] = groups
  if (group === undefined && wanted !== undefined && !groups.some((each) => isRowOf(measure, each)))
    notes.push(`I found no way from ${measure.table.name} to ${(wanted.column ?? wanted.table).name}.`)
  if (group === undefined && question.part !== undefined && wanted === undefined)
    notes.push(`I found no date to group by ${question.part}.`)
  const lead = group !== undefined && rank !== undefined && top === undefined
  return {
    measure,
    group,
    filters,
    paths,
    notes,
    order: rank ?? (group?.part === undefined ? 'desc' : 'label'),
    limit: top ?? (lead ? 5 : group?.part === undefined ? rowsAtMost : timesAtMost),
    lead,
  }
}

function findGroup(question: ReadQuestion, measure: Measure, paths: Paths): Group | undefined {
  const { groups, rank, part } = question
  if (part !== undefined && groups.length === 0) {
    const label = findDate(question, paths)
    return label && { label, words: part, part }
  }
  const found = groups.filter((each) => rank !== undefined || !isRowOf(measure, each))
  // Among things of the same name, the one with the fewest joins.
  const best = pickLeast(found, ({ table, weight }) => distance(table.name, paths) - weight * 10)
  return best && groupBy(best.table, best.column)
}

/** In "average quantity per line" over the lines, each group would have one row. */
function isRowOf(measure: Measure, { table, column }: Mention): boolean {
  return column === undefined && table === measure.table
}

function groupBy(table: SqlTable, column: Column | undefined): Group | undefined {
  if (column !== undefined) return { label: column, words: spellName(column.name) }
  const label = table.label ?? table.key
  return label && { label, key: label === table.key ? undefined : table.key, words: spellName(table.name) }
}

/** The filters of the plan, and sentences on what in the question cannot be turned into a filter. */
function findFilters(
  question: ReadQuestion,
  places: readonly ValuePlace[],
  { measure, paths }: { measure: Measure; paths: Paths },
): { filters: RowFilter[]; notes: string[] } {
  const { period } = question
  const notes: string[] = []
  const values = new Map<Column, string[]>()
  for (const { value, columns } of places) {
    const column = pickLeast(columns, (each) => distance(each.table, paths))
    if (column === undefined) notes.push(`I found no "${value}" in the data, so nothing is limited to it.`)
    else addTo(values, column, value)
  }
  const filters: RowFilter[] = [...values].map(([column, values]) => ({ type: 'equals', column, values }))
  if (period !== undefined) {
    const column = findDate(question, paths)
    if (column !== undefined) filters.push({ type: 'period', column, period })
    else notes.push(`I found no date to limit it to ${period.words.replace(/^in /, '')}.`)
  }
  return {
    filters: [...filters, ...(measure.without ?? []).map((column) => ({ type: 'unset', column }) as const)],
    notes,
  }
}

/** The nearest date column. */
function findDate({ tables }: ReadQuestion, paths: Paths): Column | undefined {
  const dates = tables.flatMap((each) => each.columns).filter((each) => each.kind === 'date')
  return pickLeast(dates, (column) => distance(column.table, paths))
}
