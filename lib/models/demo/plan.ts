/** Makes a plan from a question and a schema: what to calculate, how to group it, and how to filter it. */
import { dateColumn, type Framed, limits, type RowFilter, type ValuePlace } from './filters'
import { type Path, pathsFrom, waysOf } from './joins'
import { type Measure, measureOf } from './measure'
import type { Mention } from './mentions'
import { groupMentions, type ReadQuestion } from './question'
import { type Column, isOwnKey, labelColumns, type Table } from './schema'
import { nameWords } from './words'

export interface Group {
  /** The columns shown; several are joined with a space. */
  readonly label: readonly Column[]
  /** The columns to group by: the label, or a key if different things may have the same label. */
  readonly by: readonly Column[]
  readonly part?: 'year' | 'month'
  readonly words: string
}

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
  /** The paths to the other tables it names. */
  readonly paths: ReadonlyMap<string, Path>
  /** Sentences on parts of the question that the plan ignores. */
  readonly notes: readonly string[]
}

const listLimit = 20
const groupLimit = 20
/** Five years of months. */
const timeLimit = 60

/** Undefined if no rule can interpret the question. */
export function planFor(question: ReadQuestion, places: readonly ValuePlace[]): QueryPlan | undefined {
  const { cues, tables } = question
  const asked = groupMentions(question)
  const measure = measureOf(question, asked)
  const table = measure?.table ?? subject(question, asked)
  if (table === undefined) return undefined
  const paths = pathsFrom(table.name, waysOf(tables))
  if (measure === undefined) return listing({ question, places, table, paths })
  const { filters, notes } = limits({ question, places, measure, table, paths })
  const wanted = groupOf({ question, asked, measure, paths })
  const group = wanted === undefined || isPinned(wanted, filters) ? undefined : wanted
  const lead = group !== undefined && cues.rank !== undefined && cues.top === undefined
  return {
    measure,
    table,
    columns: [],
    ...(group === undefined ? {} : { group }),
    filters,
    order: group?.part !== undefined && cues.rank === undefined ? 'label' : (cues.rank ?? 'desc'),
    limit: cues.top ?? (lead ? 5 : group?.part === undefined ? groupLimit : timeLimit),
    lead,
    paths,
    notes:
      asked.length > 0 && wanted === undefined && !asked.some((each) => isItself(each, measure))
        ? [...notes, `I found no way from ${table.name} to ${named(asked[0])}.`]
        : notes,
  }
}

/** The same question without other tables, for a second try if the database refuses the plan. */
export function simpler(plan: QueryPlan): QueryPlan {
  const { group, ...rest } = plan
  const own = group?.label.every((each) => each.table === plan.table.name) === true
  const filters = plan.filters.filter((each) => each.column.table === plan.table.name)
  return {
    ...rest,
    ...(own && group !== undefined ? { group } : {}),
    filters,
    notes: [...plan.notes, 'The first query was refused, so this one looks at one table alone.'],
  }
}

/** The table that a question without a figure is about. */
function subject({ mentions, cues }: ReadQuestion, asked: readonly Mention[]): Table | undefined {
  const named =
    asked[0] ?? mentions.find((each) => each.column === undefined) ?? (cues.list ? mentions[0] : undefined)
  return named?.table
}

/** Rows as they are, or the distinct values of a text column with their counts. */
function listing({ question, places, table, paths }: Framed): QueryPlan {
  const [named] = groupMentions(question)
  const mentioned = question.mentions.filter((each) => each.column !== undefined && each.table === table)
  const { filters, notes } = limits({ question, places, table, paths })
  const rows = {
    table,
    columns: listColumns(table, mentioned),
    filters,
    order: 'label' as const,
    limit: listLimit,
    lead: false,
    paths,
    notes,
  }
  const column = named === undefined ? mentioned[0]?.column : named.column
  const tableNamed = question.mentions.some((each) => each.column === undefined && each.table === table)
  if (column === undefined || column.kind !== 'text' || (tableNamed && named === undefined)) return rows
  const measure: Measure = { aggregate: 'count', table, columns: [], words: `rows of ${table.name}` }
  return {
    ...rows,
    measure,
    columns: [],
    group: { label: [column], by: [column], words: nameWords(column.name) },
    limit: groupLimit,
  }
}

function listColumns(table: Table, mentioned: readonly Mention[]): Column[] {
  const wanted = mentioned.flatMap(({ column }) => (column === undefined ? [] : [column]))
  const rest = table.columns.filter((each) => each.kind !== 'key')
  const columns = [...new Set([...labelColumns(table), ...wanted, ...rest])].slice(0, 6)
  return columns.length > 0 ? columns : table.columns.slice(0, 6)
}

function groupOf({
  question,
  asked,
  measure,
  paths,
}: {
  question: ReadQuestion
  asked: readonly Mention[]
  measure: Measure
  paths: ReadonlyMap<string, Path>
}): Group | undefined {
  const inTime =
    question.cues.part ?? (question.period?.several === true && asked.length === 0 ? 'year' : undefined)
  if (inTime !== undefined && asked.length === 0) {
    const column = dateColumn(question, measure.table, paths)
    if (column === undefined) return undefined
    return {
      label: [column],
      by: [column],
      words: inTime,
      ...(column.kind === 'date' ? { part: inTime } : {}),
    }
  }
  const reachable = asked.filter(
    (each) =>
      paths.has(each.table.name) &&
      !isMeasured(each, measure) &&
      (question.cues.rank !== undefined || !isItself(each, measure)),
  )
  // Among things of the same name, the one with the fewest joins, preferring a path that does not fan out.
  const cost = (each: Mention) =>
    (paths.get(each.table.name)?.fansOut === true ? 100 : 0) +
    (paths.get(each.table.name)?.joins.length ?? 0) -
    each.weight * 10
  const [best] = reachable.sort((one, other) => cost(one) - cost(other))
  return best === undefined ? undefined : groupBy(best)
}

function isMeasured({ column }: Mention, measure: Measure): boolean {
  return column !== undefined && measure.columns.includes(column)
}

/** In "average quantity per line" over the lines, each group would have one row. */
function isItself({ table, column }: Mention, measure: Measure): boolean {
  return column === undefined && table === measure.table
}

/** If a filter leaves one value of it, grouping is pointless. */
function isPinned({ label, part }: Group, filters: readonly RowFilter[]): boolean {
  return (
    part === undefined &&
    filters.some(
      (each) =>
        each.type === 'equals' && each.values.length === 1 && label.length === 1 && label[0] === each.column,
    )
  )
}

function groupBy({ table, column }: Mention): Group | undefined {
  if (column !== undefined) return { label: [column], by: [column], words: nameWords(column.name) }
  const key = table.columns.find((each) => isOwnKey(each, table))
  const label = labelColumns(table)
  const text = table.columns.find((each) => each.kind === 'text')
  const shown = label.length > 0 ? label : [key ?? text].filter((each) => each !== undefined)
  if (shown.length === 0) return undefined
  return {
    label: shown,
    by: key === undefined || shown.includes(key) ? shown : [key, ...shown],
    words: nameWords(table.name),
  }
}

function named(mention: Mention | undefined): string {
  return mention?.column?.name ?? mention?.table.name ?? 'it'
}
