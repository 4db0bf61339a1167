/** Reads a question against a schema: its words, what they name, its time, and what it asks for. */
import { isTimeWord, type Period, readPeriod } from './period'
import type { Column, Table } from './schema'
import { isSameWord, nameStems, splitWords, type Word } from './words'

/** A place where the question names a table or a column. */
export interface Mention {
  /** The index of its first word. */
  readonly at: number
  readonly length: number
  readonly table: Table
  /** Absent if the table itself is named. */
  readonly column?: Column
  /** Higher for whole names than for parts of one. */
  readonly weight: number
}

/** What the words of a question say one by one. */
interface Reading {
  /** In lower case. */
  readonly text: string
  readonly words: readonly Word[]
  readonly tables: readonly Table[]
  /** In the order of the words; the strongest first if several begin at the same word. */
  readonly mentions: readonly Mention[]
  readonly period: Period | undefined
  /** Whether the last or the first of a ranking is wanted. */
  readonly rank: 'desc' | 'asc' | undefined
  /** The index of the ranking word, or -1. */
  readonly rankAt: number
  /** How many of a ranking: "top 5". */
  readonly top: number | undefined
  readonly part: 'year' | 'month' | undefined
}

export interface ReadQuestion extends Reading {
  /** The mentions that figures are wanted by, likeliest first. */
  readonly groups: readonly Mention[]
  /** The other mentions. */
  readonly others: readonly Mention[]
}

const most =
  /^(most|highest|largest|biggest|greatest|maximum|max|top|best|longest|oldest|latest|heaviest|busiest|more)$/
const least =
  /^(least|lowest|smallest|fewest|minimum|min|cheapest|worst|shortest|youngest|earliest|lightest|fewer)$/
const numberWords = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const topPattern = new RegExp(
  `\\b(?:top|best|first|worst|bottom|largest|biggest|highest|lowest|smallest)\\s+([1-9]\\d?|100|${numberWords.join('|')})\\b`,
)
const partPatterns = {
  year: /\b(by|per|each|every|which|what|best|worst|strongest|weakest|busiest) (year|yr)\b|\b(yearly|annual|annually)\b/,
  month: /\b(by|per|each|every|which|what|best|worst|strongest|weakest|busiest) month\b|\bmonthly\b/,
}
const cues = {
  count: /\bhow many\b|\bnumber of\b|\bcount\b/,
  sum: /\b(total|sum|altogether|overall)\b/,
  average: /\b(average|avg|mean|typical)\b/,
  money: /\b(revenues?|sales|turnover|income|earn(ed|ings?|s)?|sold for|takings|spend|spent|spends)\b/,
  howMuch: /\bhow much\b/,
  trade: /\b(sell|sells|sold|selling|bought|buys|paid|pays|brought|brings|made|makes)\b/,
  share: /\b(share|percentage|percent|proportion|rate)\b/,
  list: /^\s*(please\s+)?(list|show|give me|name|which|what|who)\b/,
}

/** Whether the question has words that ask for a kind of figure or answer. */
export function asksFor({ text }: Reading, cue: keyof typeof cues): boolean {
  return cues[cue].test(text)
}

export function readQuestion(original: string, tables: readonly Table[]): ReadQuestion {
  const text = original.toLowerCase()
  const words = splitWords(original)
  const rankAt = words.findIndex(
    ({ stem, raw }) => most.test(stem) || least.test(stem) || most.test(raw.toLowerCase()),
  )
  const top = topPattern.exec(text)?.[1]
  const reading: Reading = {
    text,
    words,
    tables,
    mentions: findMentions(words, tables),
    period: readPeriod(text),
    rank: rankAt < 0 ? undefined : least.test(words[rankAt]?.stem ?? '') ? 'asc' : 'desc',
    rankAt,
    top: top === undefined ? undefined : numberWords.indexOf(top) + 1 || Number(top),
    part: (['year', 'month'] as const).find((each) => partPatterns[each].test(text)),
  }
  const groups = findGroups(reading)
  const others = reading.mentions.filter((each) => groups.every(({ at }) => at !== each.at))
  return { ...reading, groups, others }
}

/** Parts of names that are too vague to name a table or column alone. */
const vague =
  /^(id|key|code|no|number|nr|date|day|time|is|has|was|name|type|of|at|on|in|to|the|and|a|total|value|year|month|status|list)$/

function findMentions(words: readonly Word[], tables: readonly Table[]): Mention[] {
  const named = tables.flatMap((table) => [
    { table, stems: table.stems, whole: table.stems.length * 2 + 1 },
    ...table.columns.flatMap((column) => {
      const stems = column.kind === 'flag' ? column.stems.filter(isFlagStem) : column.stems
      return column.kind === 'key' ? [] : [{ table, column, stems, whole: stems.length * 2 }]
    }),
  ])
  const found = words.flatMap((_, at) =>
    named.flatMap(({ stems, whole, ...thing }): Mention[] => {
      if (standsAt(at, words, stems)) return [{ ...thing, at, length: stems.length, weight: whole }]
      // The last meaningful word says what a thing is: `unit_price` is a price.
      const head = stems.findLast((each) => !vague.test(each))
      if (stems.length < 2 || head === undefined || !standsAt(at, words, [head])) return []
      return [{ ...thing, at, length: 1, weight: 1 }]
    }),
  )
  return found.sort((one, other) => one.at - other.at || other.weight - one.weight)
}

function isFlagStem(stem: string): boolean {
  return !/^(is|has|was)$/.test(stem)
}

function standsAt(at: number, words: readonly Word[], stems: readonly string[]): boolean {
  return (
    stems.length > 0 &&
    stems.every((each, index) => {
      const word = words[at + index]
      return word !== undefined && !word.quoted && isSameWord(word.stem, each)
    })
  )
}

/** Words that may come between "which" and the thing it refers to. */
const filler =
  /^(a|an|the|of|our|all|these|those|single|different|distinct|unique|various|in|my|their|every|each|some|any)$/

/** Mentions that begin at this word, or after filler words; the strongest first. */
export function mentionsAt(at: number, { words, mentions }: Reading): Mention[] {
  for (let index = at; index < words.length && index < at + 4; index++) {
    const here = mentions.filter((each) => each.at === index)
    // "invoice line" means lines, not invoices.
    if (here.length > 0) return here.filter((each) => each.length === here[0]?.length)
    if (!filler.test(words[index]?.stem ?? '')) return []
  }
  return []
}

/** "which …", "by …", "per …", "top 5 …", "who …". */
function findGroups(question: Reading): Mention[] {
  const found = ['per', 'by', 'each', 'every', 'across', 'which', 'what'].flatMap((trigger) =>
    question.words.flatMap(({ stem }, at) =>
      stem === trigger ? mentionsAt(at + 1, question).filter(canGroup) : [],
    ),
  )
  if (found.length > 0 || question.rank === undefined) return found
  const ranked = findRanked(question)
  return ranked.length > 0 ? ranked : findPeople(question)
}

function canGroup({ column }: Mention): boolean {
  return column === undefined || column.kind === 'text' || column.kind === 'year'
}

/** What is ranked: "the most expensive product", "top 5 products", "countries with the most customers". */
function findRanked({ words, mentions, rankAt, top }: Reading): Mention[] {
  const before = mentions.filter((each) => each.at < rankAt && canGroup(each))
  const isLinked = words.slice(0, rankAt).some((each) => /^(with|has|have|had|having|by)$/.test(each.stem))
  if (isLinked && before.length > 0) return before.filter((each) => each.at === before[0]?.at)
  if (words.some((each) => each.stem === 'who')) return before.filter((each) => each.column === undefined)
  const after = mentions.filter((each) => each.at > rankAt)
  // "the most orders" asks for a number of orders; "the most expensive order" and "top 5 orders" for orders.
  const isAmount = /^(most|fewest|least|more|fewer|highest|lowest|maximum|minimum)$/.test(
    words[rankAt]?.stem ?? '',
  )
  if (isAmount && top === undefined && after[0]?.at === rankAt + 1) return []
  const groups = after.filter(canGroup)
  return groups.filter((each) => each.at === groups[0]?.at)
}

const people =
  /^(customer|client|buyer|patient|member|employee|worker|user|person|student|author|borrower|guest|driver|teacher|doctor|reader|player|staff)$/

/** For "Who …": tables of people. */
function findPeople({ words, tables }: Reading): Mention[] {
  const at = words.findIndex((each) => each.stem === 'who')
  const found = at < 0 ? [] : tables.filter(({ stems }) => people.test(stems.at(-1) ?? ''))
  return found.map((table) => ({ at, length: 1, table, weight: 1 }))
}

/** Words that are no values of the data, even with a capital letter or after "in". */
const plain = new Set(
  `i sql db id ok us me it them that this these those there here total sum all stock each every which what who whom whose how when where why
  our my your their his her the a an general detail average mean most least top best last next past recent first year month week day date time
  sale order money figure number percent dollar euro usd eur and or not no any some one two three four five six seven eight nine ten
  today yesterday tomorrow now life fact short please is are was were be been do did doe has have had more than between least`.split(
    /\s+/,
  ),
)
const valuesAtMost = 3

/** Words that can only be values of the data: "Germany", "New York", quoted text. In their order, each once. */
export function findValues({ words, mentions }: ReadQuestion): string[] {
  const named = new Set(
    mentions.flatMap((each) => Array.from({ length: each.length }, (_, index) => each.at + index)),
  )
  // "blood group A": right after a column, even the shortest word is a value.
  const afterText = new Set(
    mentions.filter((each) => each.column?.kind === 'text').map((each) => each.at + each.length),
  )
  const isFree = (at: number) => {
    const word = words[at]
    if (word === undefined || word.quoted || named.has(at) || plain.has(word.stem)) return false
    return !isTimeWord(word.raw.toLowerCase()) && !/^\d/.test(word.raw)
  }
  // A capital letter marks a name, except at the start of a sentence.
  const isCapital = (at: number) => words[at]?.first === false && /^\p{Lu}/u.test(words[at]?.raw ?? '')
  const values: string[] = []
  for (let at = 0, end = 1; at < words.length; at = end, end = at + 1) {
    const startsName = isCapital(at) && (isFree(at) || (afterText.has(at) && !named.has(at)))
    while (startsName && isFree(end) && isCapital(end)) end++
    const isPlace = isFree(at) && /^(in|from|at|for)$/.test(words[at - 1]?.stem ?? '')
    if (words[at]?.quoted || startsName || isPlace)
      values.push(
        words
          .slice(at, end)
          .map((each) => each.raw)
          .join(' '),
      )
  }
  return [...new Set(values)].slice(0, valuesAtMost)
}

/** The tables that a question most likely needs, best first: those whose names share a word with it. */
export function sortLikelyFirst(question: string, names: readonly string[]): string[] {
  const words = splitWords(question)
  const score = (name: string) =>
    nameStems(name).filter((each) => words.some((word) => isSameWord(word.stem, each))).length
  return names.toSorted((one, other) => score(other) - score(one))
}
