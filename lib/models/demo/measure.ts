/**
 * The figure that a question asks for: a count, or the sum, average, highest or lowest of a number column.
 */
import { type Mention, mentionsAt } from './mentions'
import type { ReadQuestion } from './question'
import type { Column, Table } from './schema'
import { nameWords } from './words'

export interface Measure {
  readonly aggregate: 'count' | 'distinct' | 'sum' | 'avg' | 'max' | 'min' | 'share'
  readonly table: Table
  /** Empty for a count; two columns are multiplied. */
  readonly columns: readonly Column[]
  /** The name of the figure: "revenue", "customers", "average age". */
  readonly words: string
  /** Flags whose rows are left out, such as returned ones in a revenue. */
  readonly without?: readonly Column[]
}

/** Undefined if no rule finds a figure in the question. `groups` are what it wants to group by. */
export function measureOf(question: ReadQuestion, groups: readonly Mention[]): Measure | undefined {
  const { cues } = question
  const groupAt = new Set(groups.map((each) => each.at))
  const rest = question.mentions.filter((each) => !groupAt.has(each.at))
  return (
    shareOf(question, rest) ??
    counted(question) ??
    named(question, rest, groups) ??
    (cues.money ? money(question) : undefined) ??
    ranked(question, rest, groups) ??
    (cues.howMuch || (cues.sum && rest.length === 0) || (cues.part !== undefined && cues.rank !== undefined)
      ? money(question)
      : undefined)
  )
}

function shareOf({ cues }: ReadQuestion, mentions: readonly Mention[]): Measure | undefined {
  const flag = cues.share ? mentions.find((each) => each.column?.kind === 'flag') : undefined
  if (flag?.column === undefined) return undefined
  return {
    aggregate: 'share',
    table: flag.table,
    columns: [flag.column],
    words: `share of ${flag.table.name} with ${flag.column.name}`,
  }
}

/** "how many …": rows of a table, distinct values of a text column, or a sum of numbers. */
function counted({ cues, words, mentions }: ReadQuestion): Measure | undefined {
  if (!cues.count) return undefined
  const at = words.findIndex(
    (each, index) =>
      /^(many|number|count)$/.test(each.stem) && (each.stem !== 'many' || words[index - 1]?.stem === 'how'),
  )
  const from = words[at + 1]?.stem === 'of' ? at + 2 : at + 1
  const [found] = [...mentionsAt(from, words, mentions), ...mentions.filter((each) => each.at > from)]
  if (found === undefined) return undefined
  const { table, column } = found
  if (column === undefined || column.kind === 'flag')
    return {
      aggregate: 'count',
      table,
      columns: [],
      words: table.name,
    }
  if (column.kind === 'number')
    return { aggregate: 'sum', table, columns: [column], words: `total ${spoken(column)}` }
  return { aggregate: 'distinct', table, columns: [column], words: `different values of ${column.name}` }
}

/** A number column that is named, with or without "average", "highest", "total". */
function named(
  { cues, words }: ReadQuestion,
  mentions: readonly Mention[],
  groups: readonly Mention[],
): Measure | undefined {
  const numbers = mentions
    .filter((each) => each.column?.kind === 'number')
    .sort((one, other) => other.weight - one.weight)
  // Between columns of the same name, the table decides: one that is named too, or has the groups.
  const best = numbers.filter((each) => each.weight === numbers[0]?.weight)
  const beside = (each: Mention) =>
    mentions.some((other) => other.column === undefined && other.table === each.table)
  const found =
    best.find(beside) ?? best.find((each) => groups.some((other) => other.table === each.table)) ?? best[0]
  if (found?.column === undefined || (cues.money && found.weight < 2)) return undefined
  const { column, table } = found
  const of = (aggregate: Measure['aggregate'], word: string): Measure => ({
    aggregate,
    table,
    columns: [column],
    words: `${word} ${spoken(column)}`,
  })
  if (cues.average) return of('avg', 'average')
  if (cues.sum) return of('sum', 'total')
  const amounts = /^(most|least|fewest|more|fewer|top|best|worst)$/.test(words[cues.rankAt]?.stem ?? '')
  if (cues.rank !== undefined && !amounts)
    return cues.rank === 'asc' ? of('min', 'lowest') : of('max', 'highest')
  return isRate(column) ? of('avg', 'average') : of('sum', 'total')
}

/** Numbers whose sum has no meaning. */
function isRate(column: Column): boolean {
  return column.stems.some((each) =>
    ['price', 'rate', 'age', 'score', 'rating', 'temperature', 'percent', 'weight', 'height'].includes(each),
  )
}

const adjectives: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\b(expensive|cheapest|cheap|dearest|costly)\b/, ['price', 'cost', 'fee', 'rate']],
  [/\b(oldest|youngest)\b/, ['age']],
  [/\b(longest|shortest)\b/, ['length', 'duration', 'page', 'minute', 'hour', 'night', 'day']],
  [/\b(heaviest|lightest)\b/, ['weight']],
  [/\b(largest|biggest|smallest)\b/, ['size', 'area', 'capacity', 'bed', 'population', 'seat']],
  [/\b(best|worst)\b/, ['rating', 'score']],
]

/**
 * A ranking that names no number: by the adjective's column, rows of another table, money, or rows that refer
 * to the group.
 */
function ranked(
  question: ReadQuestion,
  mentions: readonly Mention[],
  groups: readonly Mention[],
): Measure | undefined {
  if (question.cues.rank === undefined) return undefined
  const groupTables = new Set(groups.map((each) => each.table))
  const text = question.text.toLowerCase()
  for (const [pattern, names] of adjectives) {
    if (!pattern.test(text)) continue
    const column = [...groupTables]
      .flatMap((each) => each.columns)
      .find((each) => each.kind === 'number' && each.stems.some((part) => names.includes(part)))
    const table = [...groupTables].find((each) => each.name === column?.table)
    if (column !== undefined && table !== undefined) {
      const lowest = question.cues.rank === 'asc'
      return { aggregate: lowest ? 'min' : 'max', table, columns: [column], words: spoken(column) }
    }
  }
  const other =
    mentions.find((each) => each.column === undefined && !groupTables.has(each.table)) ??
    mentions.find((each) => each.column === undefined)
  if (other !== undefined)
    return { aggregate: 'count', table: other.table, columns: [], words: other.table.name }
  if (/\b(sell|sells|sold|selling|bought|buys|paid|pays|brought|brings|made|makes)\b/.test(text))
    return money(question)
  return rowsPointingAt(question, groupTables)
}

function rowsPointingAt({ tables }: ReadQuestion, groups: ReadonlySet<Table>): Measure | undefined {
  const keys = [...groups].flatMap((each) =>
    each.columns.filter((column) => column.kind === 'key').map((column) => column.name),
  )
  const points = (column: Column) =>
    [...groups].some(
      (group) =>
        column.references?.table === group.name ||
        column.stems.slice(0, -1).join('_') === group.stems.join('_'),
    ) || keys.includes(column.name)
  const table = tables.find(
    (each) =>
      !groups.has(each) &&
      each.columns.some((column) => column.kind === 'key' && column.name !== 'id' && points(column)),
  )
  return table === undefined ? undefined : { aggregate: 'count', table, columns: [], words: table.name }
}

const earned = ['revenue', 'sale', 'turnover', 'income', 'earning']
const quantities = ['quantity', 'qty', 'unit', 'piece', 'copy', 'night', 'hour', 'day', 'ticket']
const prices = ['price', 'rate', 'fee', 'cost']
const amounts = ['amount', 'total', 'paid', 'payment', 'charge', 'fee', 'fine', 'cost', 'price']

/** Revenue and similar figures: a column of that name, else quantity × price, else an amount. */
export function money({ tables, cues }: ReadQuestion): Measure | undefined {
  const aggregate = cues.average ? 'avg' : 'sum'
  const words = cues.average ? 'average revenue a row' : 'revenue'
  const direct = numberCalled(tables, earned)
  if (direct !== undefined) return { aggregate, words, ...direct, ...withoutReturned(direct.table) }
  for (const table of tables) {
    const quantity = ofTable(table, quantities)
    const price = ofTable(
      table,
      prices.filter((each) => !quantity?.stems.includes(each)),
      quantity,
    )
    if (quantity !== undefined && price !== undefined)
      return { aggregate, table, columns: [quantity, price], words, ...withoutReturned(table) }
  }
  for (const name of amounts) {
    const found = numberCalled(tables, [name])
    if (found !== undefined)
      return {
        aggregate,
        words: `${aggregate === 'sum' ? 'total' : 'average'} ${found.columns.map(spoken).join('')}`,
        ...found,
        ...withoutReturned(found.table),
      }
  }
  return undefined
}

function numberCalled(
  tables: readonly Table[],
  names: readonly string[],
): { table: Table; columns: Column[] } | undefined {
  for (const table of tables) {
    const column = ofTable(table, names)
    if (column !== undefined) return { table, columns: [column] }
  }
  return undefined
}

/** The last word of a name says what it is: `unit_price` is a price, not a unit. */
function ofTable(table: Table, names: readonly string[], but?: Column): Column | undefined {
  return table.columns.find(
    (each) => each !== but && each.kind === 'number' && names.includes(each.stems.at(-1) ?? ''),
  )
}

/** Returned, refunded or cancelled rows do not count as revenue. */
function withoutReturned(table: Table): { without?: Column[] } {
  const flags = table.columns.filter(
    (each) => each.kind === 'flag' && each.stems.some((part) => /^(return|refund|cancel|void)/.test(part)),
  )
  return flags.length === 0 ? {} : { without: flags }
}

function spoken(column: Column): string {
  return nameWords(column.name)
}
