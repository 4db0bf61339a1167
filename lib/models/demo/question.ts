/** Reads a question against a schema: its words, what they name, its time, and what it asks for. */
import { type Period, readPeriod } from './period'
import type { Column, SqlTable } from './schema'
import { isSameWord, nameStems, splitWords, type Word } from './words'

/** A place where the question names a table or a column. */
export interface Mention {
  /** The index of its first word. */
  readonly at: number
  readonly length: number
  readonly table: SqlTable
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
  readonly tables: readonly SqlTable[]
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

const most = /^(most|highest|largest|biggest|maximum|max|top|best)$/
const least = /^(least|lowest|smallest|fewest|minimum|min|cheapest|worst)$/
const cues = {
  count: /\b(how many|number of)\b/,
  sum: /\b(total|sum)\b/,
  average: /\b(average|mean)\b/,
  money: /\b(revenues?|sales|turnover|income|earn(ed|ings?|s)?|spend|spent|spends|how much)\b/,
}

/** Whether the question has words that ask for a kind of figure or answer. */
export function asksFor({ text }: Reading, cue: keyof typeof cues): boolean {
  return cues[cue].test(text)
}

export function readQuestion(original: string, tables: readonly SqlTable[]): ReadQuestion {
  const text = original.toLowerCase()
  const words = splitWords(original)
  const rankAt = words.findIndex(({ stem }) => most.test(stem) || least.test(stem))
  const [, top] = /\b(?:top|best|worst|first|largest|biggest)\s+([1-9]\d?)\b/.exec(text) ?? []
  const [, part] = /\b(?:by|per|each|every|which|what) (year|month)\b/.exec(text) ?? []
  const reading: Reading = {
    text,
    words,
    tables,
    mentions: findMentions(words, tables),
    period: readPeriod(text),
    rank: rankAt < 0 ? undefined : least.test(words[rankAt]?.stem ?? '') ? 'asc' : 'desc',
    rankAt,
    top: top === undefined ? undefined : Number(top),
    part: part === 'year' || part === 'month' ? part : undefined,
  }
  const groups = findGroups(reading)
  const others = reading.mentions.filter((each) => groups.every(({ at }) => at !== each.at))
  return { ...reading, groups, others }
}

/** Parts of names that are too vague to name a table or column alone. */
const vague =
  /^(id|key|code|no|number|date|day|time|name|type|of|at|on|in|to|the|and|a|total|value|year|month)$/

function findMentions(words: readonly Word[], tables: readonly SqlTable[]): Mention[] {
  const named = tables.flatMap((table) => [
    { table, stems: table.stems, whole: table.stems.length * 2 + 1 },
    ...table.columns
      .filter(({ kind }) => kind !== 'key' && kind !== 'flag')
      .map((column) => ({ table, column, stems: column.stems, whole: column.stems.length * 2 })),
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
const filler = /^(a|an|the|of|our|all|different|single|my|their)$/

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

/** "which …", "by …", "per …", or what is ranked. */
function findGroups(question: Reading): Mention[] {
  const found = ['per', 'by', 'each', 'every', 'which', 'what'].flatMap((trigger) =>
    question.words.flatMap(({ stem }, at) =>
      stem === trigger ? mentionsAt(at + 1, question).filter(canGroup) : [],
    ),
  )
  return found.length > 0 || question.rank === undefined ? found : findRanked(question)
}

function canGroup({ column }: Mention): boolean {
  return column === undefined || column.kind === 'text'
}

/** "the most expensive product" and "top 5 products" rank products; "who has the most orders" ranks people. */
function findRanked({ words, mentions, rankAt, top }: Reading): Mention[] {
  const groups = mentions.filter(canGroup)
  const after = groups.filter((each) => each.at > rankAt)
  const isAmount = top === undefined && /^(most|fewest|least)$/.test(words[rankAt]?.stem ?? '')
  const isCounted = isAmount && after[0]?.at === rankAt + 1
  const ranked = isCounted || after.length === 0 ? groups.filter((each) => each.at < rankAt) : after
  return ranked.filter((each) => each.at === ranked[0]?.at)
}

/** Words that are no values of the data, even with a capital letter or after "in". */
const plain = new Set(
  `i sql db id us me it them that this these those there here total all each every which what who whom when where
  our my your their his her the a an general detail average mean most least top best last next past first year month week day date time
  sale money number percent dollar euro usd eur and or not no any some short please is are fact`.split(/\s+/),
)
const valuesAtMost = 3

/** Words that can only be values of the data: "Germany", "New York", quoted text. In their order, each once. */
export function findValues({ words, mentions }: ReadQuestion): string[] {
  const named = new Set(
    mentions.flatMap((each) => Array.from({ length: each.length }, (_, index) => each.at + index)),
  )
  const isFree = (at: number) => {
    const word = words[at]
    return (
      word !== undefined && !word.quoted && !named.has(at) && !plain.has(word.stem) && !/^\d/.test(word.raw)
    )
  }
  // A capital letter marks a name, except at the start of a sentence.
  const isCapital = (at: number) => words[at]?.first === false && /^\p{Lu}/u.test(words[at]?.raw ?? '')
  const values: string[] = []
  for (let at = 0, end = 1; at < words.length; at = end, end = at + 1) {
    const startsName = isCapital(at) && isFree(at)
    while (startsName && isFree(end) && isCapital(end)) end++
    const isPlace = isFree(at) && /^(in|from|at|for)$/.test(words[at - 1]?.stem ?? '')
    const found = words.slice(at, end).map((each) => each.raw)
    if (words[at]?.quoted || startsName || isPlace) values.push(found.join(' '))
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
