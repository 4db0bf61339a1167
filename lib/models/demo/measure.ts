/** The figure that a question asks for: a count, or the sum, average, highest or lowest of a number column. */
import { pointsAt } from './joins'
import { asksFor, mentionsAt, type ReadQuestion } from './question'
import type { Column, Table } from './schema'
import { pickLeast, spellName } from './words'

/** Each kind of figure over an amount, which is at `#`: in SQL, and in words after it was calculated. */
export const aggregates = {
  count: { sql: 'COUNT(#)', method: 'counted the rows of' },
  distinct: { sql: 'COUNT(DISTINCT #)', method: 'counted the different values of # in' },
  share: { sql: '100.0 * AVG(#)', method: 'figured the percentage of # in' },
  sum: { sql: 'SUM(#)', method: 'added up # over', word: 'total' },
  avg: { sql: 'AVG(#)', method: 'averaged # over', word: 'average' },
  max: { sql: 'MAX(#)', method: 'took the highest # of', word: 'highest' },
  min: { sql: 'MIN(#)', method: 'took the lowest # of', word: 'lowest' },
}
type NumberAggregate = 'sum' | 'avg' | 'max' | 'min'

export interface Measure {
  readonly aggregate: keyof typeof aggregates
  readonly table: Table
  /** Empty for a count; two columns are multiplied. */
  readonly columns: readonly Column[]
  /** The name of the figure: "revenue", "customers", "average age". */
  readonly words: string
  /** Flags whose rows are left out, such as returned ones in a revenue. */
  readonly without?: readonly Column[]
}

/** The figure of one column, called "average age" or "total fine". */
function measureColumn(aggregate: NumberAggregate, table: Table, column: Column): Measure {
  const words = `${aggregates[aggregate].word} ${spellName(column.name)}`
  return { aggregate, table, columns: [column], words }
}

export function countRows(table: Table, words = table.name): Measure {
  return { aggregate: 'count', table, columns: [], words }
}

/** Undefined if no rule finds a figure in the question. */
export function findMeasure(question: ReadQuestion): Measure | undefined {
  const { others, part, rank } = question
  const isOfMoney =
    asksFor(question, 'howMuch') ||
    (asksFor(question, 'sum') && others.length === 0) ||
    (part !== undefined && rank !== undefined)
  return (
    findShare(question) ??
    findCount(question) ??
    findNamed(question) ??
    (asksFor(question, 'money') ? findMoney(question) : undefined) ??
    findRanking(question) ??
    (isOfMoney ? findMoney(question) : undefined)
  )
}

function findShare(question: ReadQuestion): Measure | undefined {
  const { table, column } = question.others.find((each) => each.column?.kind === 'flag') ?? {}
  if (table === undefined || column === undefined || !asksFor(question, 'share')) return undefined
  const words = `share of ${table.name} with ${column.name}`
  return { aggregate: 'share', table, columns: [column], words }
}

/** "how many …": rows of a table, distinct values of a text column, or a sum of numbers. */
function findCount(question: ReadQuestion): Measure | undefined {
  if (!asksFor(question, 'count')) return undefined
  const { words, mentions } = question
  const at = words.findIndex(
    ({ stem }, index) =>
      /^(number|count)$/.test(stem) || (stem === 'many' && words[index - 1]?.stem === 'how'),
  )
  const from = words[at + 1]?.stem === 'of' ? at + 2 : at + 1
  const found = mentionsAt(from, question)[0] ?? mentions.find((each) => each.at > from)
  if (found === undefined) return undefined
  const { table, column } = found
  if (column === undefined || column.kind === 'flag') return countRows(table)
  if (column.kind === 'number') return measureColumn('sum', table, column)
  const different = `different values of ${column.name}`
  return { aggregate: 'distinct', table, columns: [column], words: different }
}

/** A number column that is named, with or without "average", "highest", "total". */
function findNamed(question: ReadQuestion): Measure | undefined {
  const { others, groups } = question
  // Between columns of the same name, the table decides: one that is named too, or has the groups.
  const found = pickLeast(others, ({ table, column, weight }) => {
    if (column?.kind !== 'number') return Number.POSITIVE_INFINITY
    const isNamed = others.some((other) => other.column === undefined && other.table === table)
    const isGrouped = groups.some((other) => other.table === table)
    return -weight * 10 - (isNamed ? 2 : 0) - (isGrouped ? 1 : 0)
  })
  const isVague = found !== undefined && found.weight < 2 && asksFor(question, 'money')
  if (found?.column === undefined || isVague) return undefined
  return measureColumn(chooseAggregate(question, found.column), found.table, found.column)
}

/** Numbers whose sum has no meaning. */
const rates = /^(price|rate|age|score|rating|temperature|percent|weight|height)$/

function chooseAggregate(question: ReadQuestion, { stems }: Column): NumberAggregate {
  const { words, rank, rankAt } = question
  if (asksFor(question, 'average')) return 'avg'
  if (asksFor(question, 'sum')) return 'sum'
  const ranksSums = /^(most|least|fewest|more|fewer|top|best|worst)$/.test(words[rankAt]?.stem ?? '')
  if (rank !== undefined && !ranksSums) return rank === 'asc' ? 'min' : 'max'
  return stems.some((each) => rates.test(each)) ? 'avg' : 'sum'
}

/** Adjectives, and what the numbers that they rank by are called. */
const adjectives = [
  [/\b(expensive|cheapest|cheap|dearest|costly)\b/, /^(price|cost|fee|rate)$/],
  [/\b(oldest|youngest)\b/, /^age$/],
  [/\b(longest|shortest)\b/, /^(length|duration|page|minute|hour|night|day)$/],
  [/\b(heaviest|lightest)\b/, /^weight$/],
  [/\b(largest|biggest|smallest)\b/, /^(size|area|capacity|bed|population|seat)$/],
  [/\b(best|worst)\b/, /^(rating|score)$/],
] as const

/** A ranking that names no number: by the adjective's column, rows of another table, money, or rows of the group. */
function findRanking(question: ReadQuestion): Measure | undefined {
  const { rank, groups, others } = question
  if (rank === undefined) return undefined
  const aggregate = rank === 'asc' ? 'min' : 'max'
  const grouped = groups.map((each) => each.table)
  for (const [adjective, name] of adjectives) {
    const isRanked = ({ stems }: Column) => stems.some((each) => name.test(each))
    const found = adjective.test(question.text) ? findNumber(grouped, isRanked) : undefined
    if (found !== undefined) return { aggregate, ...found, words: spellColumns(found) }
  }
  const tables = others.filter((each) => each.column === undefined).map((each) => each.table)
  const other = tables.find((each) => !grouped.includes(each)) ?? tables[0]
  if (other !== undefined) return countRows(other)
  if (asksFor(question, 'trade')) return findMoney(question)
  const pointing = question.tables.find(
    (each) => !grouped.includes(each) && grouped.some((group) => pointsAt(each, group)),
  )
  return pointing === undefined ? undefined : countRows(pointing)
}

const quantities = /^(quantity|qty|unit|piece|copy|night|hour|day|ticket)$/
const prices = /^(price|rate|fee|cost)$/
/** Likeliest first. */
const amounts = [/^amount$/, /^total$/, /^(paid|payment)$/, /^(charge|fee|fine)$/, /^(cost|price)$/]

/** Revenue and similar figures: a column of that name, else quantity × price, else an amount. */
function findMoney(question: ReadQuestion): Measure | undefined {
  const { tables } = question
  const aggregate = asksFor(question, 'average') ? 'avg' : 'sum'
  const earned =
    findNumber(tables, isCalled(/^(revenue|sale|turnover|income|earning)$/)) ??
    tables.flatMap((each) => findProduct(each) ?? [])[0]
  const found = earned ?? amounts.flatMap((name) => findNumber(tables, isCalled(name)) ?? [])[0]
  if (found === undefined) return undefined
  const revenue = aggregate === 'avg' ? 'average revenue a row' : 'revenue'
  const words = earned === undefined ? `${aggregates[aggregate].word} ${spellColumns(found)}` : revenue
  return { aggregate, ...found, words, without: returnFlags(found.table) }
}

type Numbers = Pick<Measure, 'table' | 'columns'>

function findNumber(tables: readonly Table[], fits: (column: Column) => boolean): Numbers | undefined {
  for (const table of tables) {
    const column = table.columns.find((each) => each.kind === 'number' && fits(each))
    if (column !== undefined) return { table, columns: [column] }
  }
  return undefined
}

/** The last word of a name says what it is: `unit_price` is a price, not a unit. */
function isCalled(name: RegExp): (column: Column) => boolean {
  return ({ stems }) => name.test(stems.at(-1) ?? '')
}

function findProduct(table: Table): Numbers | undefined {
  const quantity = findNumber([table], isCalled(quantities))
  const price = findNumber([table], isCalled(prices))
  if (quantity === undefined || price === undefined) return undefined
  return { table, columns: [...quantity.columns, ...price.columns] }
}

/** Returned, refunded or cancelled rows do not count as revenue. */
function returnFlags({ columns }: Table): Column[] {
  return columns.filter(
    ({ kind, stems }) => kind === 'flag' && stems.some((each) => /^(return|refund|cancel|void)/.test(each)),
  )
}

function spellColumns({ columns }: Numbers): string {
  return columns.map((each) => spellName(each.name)).join(' × ')
}
