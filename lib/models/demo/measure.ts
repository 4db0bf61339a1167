/** The figure that a question asks for: a count, or the sum, average, highest or lowest of a number column. */
import { asksFor, mentionsAt, type ReadQuestion } from './question'
import type { Column, SqlTable } from './schema'
import { pickLeast, spellName } from './words'

/** Each kind of figure over an amount, which is at `#`: in SQL, and in words after it was calculated. */
export const aggregates = {
  count: { sql: 'COUNT(#)', method: 'counted the rows of' },
  distinct: { sql: 'COUNT(DISTINCT #)', method: 'counted the different values of # in' },
  sum: { sql: 'SUM(#)', method: 'added up # over', word: 'total' },
  avg: { sql: 'AVG(#)', method: 'averaged # over', word: 'average' },
  max: { sql: 'MAX(#)', method: 'took the highest # of', word: 'highest' },
  min: { sql: 'MIN(#)', method: 'took the lowest # of', word: 'lowest' },
}
type NumberAggregate = 'sum' | 'avg' | 'max' | 'min'

export interface Measure {
  readonly aggregate: keyof typeof aggregates
  readonly table: SqlTable
  /** Empty for a count; two columns are multiplied. */
  readonly columns: readonly Column[]
  /** The name of the figure: "revenue", "customers", "average age". */
  readonly words: string
  /** Flags whose rows are left out, such as returned ones in a revenue. */
  readonly without?: readonly Column[]
}

/** Undefined if no rule finds a figure in the question. */
export function findMeasure(question: ReadQuestion): Measure | undefined {
  return (
    findCount(question) ??
    findNumber(question) ??
    (asksFor(question, 'money') ? findMoney(question) : undefined) ??
    findRanking(question) ??
    findListed(question)
  )
}

function countRows(table: SqlTable, words = table.name): Measure {
  return { aggregate: 'count', table, columns: [], words }
}

/** The figure of one column, called "average age" or "total fine". */
function measureColumn(aggregate: NumberAggregate, table: SqlTable, column: Column): Measure {
  const name = spellName(column.name)
  return { aggregate, table, columns: [column], words: `${aggregates[aggregate].word} ${name}` }
}

/** "how many …": rows of a table, distinct values of a text column, or a sum of numbers. */
function findCount(question: ReadQuestion): Measure | undefined {
  if (!asksFor(question, 'count')) return undefined
  const at = question.words.findIndex(({ stem }) => stem === 'many' || stem === 'number')
  const from = question.words[at + 1]?.stem === 'of' ? at + 2 : at + 1
  const found = mentionsAt(from, question)[0] ?? question.mentions.find((each) => each.at > from)
  if (found === undefined) return undefined
  const { table, column } = found
  if (column === undefined) return countRows(table)
  if (column.kind === 'number') return measureColumn('sum', table, column)
  return { aggregate: 'distinct', table, columns: [column], words: `different values of ${column.name}` }
}

/** A number column that is named, with or without "average", "highest", "total". */
function findNumber(question: ReadQuestion): Measure | undefined {
  const { others, groups } = question
  // Between columns of the same name, the table decides: one that is named too, or has the groups.
  const found = pickLeast(others, ({ table, column, weight }) => {
    if (column?.kind !== 'number') return Number.POSITIVE_INFINITY
    const isNamed = others.some((other) => other.column === undefined && other.table === table)
    const isGrouped = groups.some((other) => other.table === table)
    return -weight * 10 - (isNamed ? 2 : 0) - (isGrouped ? 1 : 0)
  })
  if (found?.column === undefined) return undefined
  return measureColumn(chooseAggregate(question, found.column), found.table, found.column)
}

function chooseAggregate(question: ReadQuestion, { stems }: Column): NumberAggregate {
  const { words, rank, rankAt, top } = question
  if (asksFor(question, 'average')) return 'avg'
  if (asksFor(question, 'sum')) return 'sum'
  // A sum of prices means nothing.
  const isPrice = stems.includes('price')
  const ranksSums = top !== undefined || /^(most|least|fewest|best|worst)$/.test(words[rankAt]?.stem ?? '')
  if (rank !== undefined && (isPrice || !ranksSums)) return rank === 'asc' ? 'min' : 'max'
  return isPrice ? 'avg' : 'sum'
}

/** A ranking that names no number counts the rows of another table: "the most orders". */
function findRanking({ rank, groups, others }: ReadQuestion): Measure | undefined {
  if (rank === undefined) return undefined
  const tables = others.filter((each) => each.column === undefined).map((each) => each.table)
  const found = tables.find((each) => groups.every(({ table }) => table !== each)) ?? tables[0]
  return found && countRows(found)
}

/** "Which categories are there?" has the values of a column, each with its rows. */
function findListed({ groups: [wanted] }: ReadQuestion): Measure | undefined {
  if (wanted?.column === undefined) return undefined
  return countRows(wanted.table, `rows of ${wanted.table.name}`)
}

/** Revenue: quantity × price, without what was returned. */
function findMoney(question: ReadQuestion): Measure | undefined {
  for (const table of question.tables) {
    const find = (name: RegExp) =>
      table.columns.find(({ kind, stems }) => kind === 'number' && name.test(stems.at(-1) ?? ''))
    const [quantity, price] = [find(/^(quantity|qty|unit)$/), find(/^price$/)]
    if (quantity === undefined || price === undefined) continue
    const without = table.columns.filter(
      ({ kind, stems }) => kind === 'flag' && stems.some((each) => /^(return|refund|cancel)/.test(each)),
    )
    const isAverage = asksFor(question, 'average')
    const words = isAverage ? 'average revenue a row' : 'revenue'
    return { aggregate: isAverage ? 'avg' : 'sum', table, columns: [quantity, price], words, without }
  }
  return undefined
}
