/** Makes a plan from a question and a schema: what to calculate, how to group it, and how to filter it. */
import { distance, type Paths, pathsFrom } from './joins'
import { countRows, findMeasure, type Measure } from './measure'
import type { Period } from './period'
import { asksFor, type Mention, type ReadQuestion } from './question'
import type { Column, Table } from './schema'
import { pickLeast, spellName } from './words'

export interface Group {
  /** The columns shown; several are joined with a space. */
  readonly label: readonly Column[]
  /** Set if different things may have the same label. */
  readonly key?: Column
  readonly part?: 'year' | 'month'
  readonly words: string
}

export type RowFilter =
  | { readonly type: 'equals'; readonly column: Column; readonly values: readonly string[] }
  | { readonly type: 'flag'; readonly column: Column; readonly set: boolean }
  | { readonly type: 'period'; readonly column: Column; readonly period: Period }

export interface QueryPlan {
  /** Absent if rows are listed as they are. */
  readonly measure?: Measure
  readonly table: Table
  /** The columns of a list of rows. */
  readonly columns: readonly Column[]
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
  const table = measure?.table ?? findSubject(question)
  if (table === undefined) return undefined
  const paths = pathsFrom(table, question.tables)
  const { filters, notes } = findFilters(question, places, { table, measure, paths })
  const rows = { table, columns: [], filters, paths, notes, limit: rowsAtMost, lead: false }
  if (measure === undefined) return { ...rows, order: 'label', ...planList(question, table) }
  const group = findGroup(question, measure, paths)
  const [wanted] = groups
  if (group === undefined && wanted !== undefined && !groups.some((each) => isRowOf(measure, each)))
    notes.push(`I found no way from ${table.name} to ${(wanted.column ?? wanted.table).name}.`)
  if (group === undefined || isPinned(group, filters)) return { ...rows, measure, order: 'desc' }
  const lead = rank !== undefined && top === undefined
  return {
    ...rows,
    measure,
    group,
    order: rank ?? (group.part === undefined ? 'desc' : 'label'),
    limit: top ?? (lead ? 5 : group.part === undefined ? rowsAtMost : timesAtMost),
    lead,
  }
}

/** The same question without other tables, for a second try if the database refuses the plan. */
export function simplify({ group, ...plan }: QueryPlan): QueryPlan {
  const isOwn = (column: Column) => column.table === plan.table.name
  return {
    ...plan,
    group: group?.label.every(isOwn) ? group : undefined,
    filters: plan.filters.filter((each) => isOwn(each.column)),
    notes: [...plan.notes, 'The first query was refused, so this one looks at one table alone.'],
  }
}

/** The table that a question without a figure is about. */
function findSubject(question: ReadQuestion): Table | undefined {
  const { groups, mentions } = question
  const named = groups[0] ?? mentions.find((each) => each.column === undefined)
  return (named ?? (asksFor(question, 'list') ? mentions[0] : undefined))?.table
}

/** Rows as they are, or the distinct values of a text column with their counts. */
function planList(
  { groups: [wanted], mentions }: ReadQuestion,
  table: Table,
): Pick<QueryPlan, 'columns' | 'measure' | 'group'> {
  const here = mentions.filter((each) => each.table === table)
  const named = here.flatMap((each) => each.column ?? [])
  const isTableNamed = here.some((each) => each.column === undefined)
  const column = wanted === undefined && !isTableNamed ? named[0] : wanted?.column
  if (column?.kind === 'text')
    return { columns: [], measure: countRows(table, `rows of ${table.name}`), group: groupBy(table, column) }
  const rest = table.columns.filter((each) => each.kind !== 'key')
  const columns = [...new Set([...table.label, ...named, ...rest])]
  return { columns: (columns.length > 0 ? columns : table.columns).slice(0, 6) }
}

function findGroup(question: ReadQuestion, measure: Measure, paths: Paths): Group | undefined {
  const { groups, rank, period } = question
  const part = question.part ?? (period?.several ? 'year' : undefined)
  if (part !== undefined && groups.length === 0) {
    const column = findDate(question, measure.table, paths)
    if (column === undefined) return undefined
    return { label: [column], words: part, part: column.kind === 'date' ? part : undefined }
  }
  const found = groups.filter(
    (each) =>
      !measure.columns.some((column) => column === each.column) &&
      (rank !== undefined || !isRowOf(measure, each)),
  )
  // Among things of the same name, the one with the fewest joins.
  const best = pickLeast(found, ({ table, weight }) => distance(table.name, paths) - weight * 10)
  return best === undefined ? undefined : groupBy(best.table, best.column)
}

/** In "average quantity per line" over the lines, each group would have one row. */
function isRowOf(measure: Measure, { table, column }: Mention): boolean {
  return column === undefined && table === measure.table
}

/** If a filter leaves one value of it, grouping is pointless. */
function isPinned({ label, part }: Group, filters: readonly RowFilter[]): boolean {
  return filters.some(
    (each) =>
      part === undefined &&
      each.type === 'equals' &&
      each.values.length === 1 &&
      label.every((column) => column === each.column),
  )
}

function groupBy(table: Table, column: Column | undefined): Group | undefined {
  if (column !== undefined) return { label: [column], words: spellName(column.name) }
  const { key } = table
  const text = key ?? table.columns.find((each) => each.kind === 'text')
  const label = table.label.length > 0 ? table.label : [text].filter((each) => each !== undefined)
  const [first] = label
  return first && { label, key: first === key ? undefined : key, words: spellName(table.name) }
}

/** The filters of the plan, and sentences on what in the question cannot be turned into a filter. */
function findFilters(
  question: ReadQuestion,
  places: readonly ValuePlace[],
  { table, measure, paths }: { table: Table; measure: Measure | undefined; paths: Paths },
): { filters: RowFilter[]; notes: string[] } {
  const { period } = question
  const notes: string[] = []
  const values = new Map<Column, string[]>()
  for (const { value, columns } of places) {
    const column = pickLeast(columns, (each) => distance(each.table, paths))
    if (column === undefined) notes.push(`I found no "${value}" in the data, so nothing is limited to it.`)
    else values.set(column, [...(values.get(column) ?? []), value])
  }
  const filters: RowFilter[] = [...values].map(([column, values]) => ({ type: 'equals', column, values }))
  if (period !== undefined) {
    const column = findDate(question, table, paths)
    if (column?.kind === 'date' || (column !== undefined && period.wholeYears))
      filters.push({ type: 'period', column, period })
    else notes.push(`I found no date to limit it to ${period.words.replace(/^in /, '')}.`)
  }
  return { filters: [...filters, ...findFlags(question, measure, paths)], notes }
}

/** Flags named in the question, required or excluded, and those that the measure leaves out. */
function findFlags(
  { mentions, words }: ReadQuestion,
  measure: Measure | undefined,
  paths: Paths,
): RowFilter[] {
  const flags = new Map((measure?.without ?? []).map((column) => [column, false]))
  for (const { column, at } of mentions) {
    if (column?.kind !== 'flag' || !paths.has(column.table) || measure?.columns.includes(column)) continue
    const before = words.slice(Math.max(0, at - 2), at)
    const isExcluded = before.some(({ stem }) =>
      /^(without|excluding|except|not|no|non|never|minus|net)$/.test(stem),
    )
    flags.set(column, !isExcluded)
  }
  return [...flags].map(([column, set]) => ({ type: 'flag', column, set }))
}

/** The date column that a time applies to: one named in the question, else the nearest that is not a birthday. */
function findDate({ tables, mentions }: ReadQuestion, from: Table, paths: Paths): Column | undefined {
  const dates = tables
    .flatMap((each) => each.columns)
    .filter((each) => each.kind === 'date' || each.kind === 'year')
  return pickLeast(dates, (column) => {
    const isNamed = mentions.some((each) => each.column === column)
    const isUnlikely = column.stems.some((each) =>
      /^(birth|birthday|born|dob|created|updated|modified)$/.test(each),
    )
    const isOwn = column.table === from.name
    return distance(column.table, paths) + (isUnlikely ? 10 : 0) - (isNamed ? 200 : 0) - (isOwn ? 0.5 : 0)
  })
}
