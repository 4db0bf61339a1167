/** Matches a question with a schema: its words, what they name, and the phrases that ask for figures. */
import { type Mention, mentionsAt, mentionsOf } from './mentions'
import { type Period, periodIn } from './period'
import type { Table } from './schema'
import { sameWord, type Word, wordsOf } from './words'

export interface ReadQuestion {
  readonly text: string
  readonly words: readonly Word[]
  readonly tables: readonly Table[]
  readonly mentions: readonly Mention[]
  readonly period?: Period
  readonly cues: Cues
}

export interface Cues {
  readonly count: boolean
  readonly sum: boolean
  readonly average: boolean
  readonly money: boolean
  readonly howMuch: boolean
  readonly share: boolean
  readonly list: boolean
  /** Whether the first or the last of a ranking is wanted. */
  readonly rank?: 'desc' | 'asc'
  /** The index of the ranking word. */
  readonly rankAt: number
  /** How many of a ranking: "top 5". */
  readonly top?: number
  readonly part?: 'year' | 'month'
}

const most =
  /^(most|highest|largest|biggest|greatest|maximum|max|top|best|longest|oldest|latest|heaviest|busiest|more)$/
const least =
  /^(least|lowest|smallest|fewest|minimum|min|cheapest|worst|shortest|youngest|earliest|lightest|fewer)$/
const numberWords = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

export function readQuestion(text: string, tables: readonly Table[]): ReadQuestion {
  const words = wordsOf(text)
  const period = periodIn(text)
  return {
    text,
    words,
    tables,
    mentions: mentionsOf(words, tables),
    ...(period === undefined ? {} : { period }),
    cues: cuesOf(text.toLowerCase(), words),
  }
}

function cuesOf(text: string, words: readonly Word[]): Cues {
  const rankAt = words.findIndex(
    (each) => most.test(each.stem) || least.test(each.stem) || most.test(each.raw.toLowerCase()),
  )
  const ranked = words[rankAt]
  const top = topOf(text)
  return {
    count: /\bhow many\b|\bnumber of\b|\bcount\b/.test(text),
    sum: /\b(total|sum|altogether|overall)\b/.test(text),
    average: /\b(average|avg|mean|typical)\b/.test(text),
    money:
      /\b(revenues?|sales|turnover|income|earn(ed|ings?|s)?|sold for|takings)\b/.test(text) ||
      /\b(spend|spent|spends)\b/.test(text),
    howMuch: /\bhow much\b/.test(text),
    share: /\b(share|percentage|percent|proportion|rate)\b/.test(text),
    list: /^\s*(please\s+)?(list|show|give me|name|which|what|who)\b/.test(text),
    ...(ranked === undefined ? {} : { rank: least.test(ranked.stem) ? 'asc' : 'desc' }),
    rankAt,
    ...(top === undefined ? {} : { top }),
    ...partOf(text),
  }
}

function topOf(text: string): number | undefined {
  const found =
    /\b(?:top|best|first|worst|bottom|largest|biggest|highest|lowest|smallest)\s+(\d{1,3}|[a-z]+)\b/.exec(
      text,
    )?.[1]
  if (found === undefined) return undefined
  const spelt = numberWords.indexOf(found) + 1
  const count = spelt > 0 ? spelt : Number(found)
  return Number.isInteger(count) && count > 0 && count <= 100 ? count : undefined
}

function partOf(text: string): Pick<Cues, 'part'> {
  if (
    /\b(by|per|each|every|which|what|best|worst|strongest|weakest|busiest) (year|yr)\b|\byearly\b|\bannual(ly)?\b/.test(
      text,
    )
  )
    return { part: 'year' }
  if (/\b(by|per|each|every|which|what|best|worst|strongest|weakest|busiest) month\b|\bmonthly\b/.test(text))
    return { part: 'month' }
  return {}
}

/** What "which …", "by …", "per …", "each …" or "top 5 …" refer to: the requested groups, likeliest first. */
export function groupMentions({ words, mentions, cues, tables }: ReadQuestion): Mention[] {
  const triggers = ['per', 'by', 'each', 'every', 'across', 'which', 'what']
  const found = triggers.flatMap((trigger) =>
    words.flatMap((word, at) =>
      word.stem === trigger ? mentionsAt(at + 1, words, mentions).filter(isGroup) : [],
    ),
  )
  if (found.length > 0 || cues.rank === undefined) return found
  const ranked = rankedThing({ words, mentions, cues })
  return ranked.length > 0 ? ranked : peopleMeant({ words, tables })
}

const people =
  'customer patient member employee user person student author borrower guest driver teacher doctor reader player staff'.split(
    ' ',
  )

/** For "Who …": tables of people. */
function peopleMeant({ words, tables }: Pick<ReadQuestion, 'words' | 'tables'>): Mention[] {
  const at = words.findIndex((each) => each.stem === 'who')
  if (at < 0) return []
  return tables
    .filter((each) => people.some((one) => sameWord(one, each.stems.at(-1) ?? '')))
    .map((table) => ({ at, length: 1, table, weight: 1 }))
}

/** What is ranked: "the most expensive product", "top 5 products", "countries with the most customers". */
function rankedThing({
  words,
  mentions,
  cues,
}: Pick<ReadQuestion, 'words' | 'mentions' | 'cues'>): Mention[] {
  const before = mentions.filter((each) => each.at < cues.rankAt && isGroup(each))
  const linked = words.slice(0, cues.rankAt).some((each) => /^(with|has|have|had|having|by)$/.test(each.stem))
  if (linked && before.length > 0) return before.filter((each) => each.at === before[0]?.at)
  if (words.some((each) => each.stem === 'who'))
    return mentions.filter((each) => each.column === undefined && each.at < cues.rankAt)
  const number = mentions.find((each) => each.at > cues.rankAt)
  const after = mentions.filter((each) => each.at > cues.rankAt && isGroup(each))
  // "the most orders" asks for a number of orders; "the most expensive order" and "top 5 orders" ask for
  // orders.
  const near = number !== undefined && number.at === cues.rankAt + 1 && cues.top === undefined
  if (
    near &&
    /^(most|fewest|least|more|fewer|highest|lowest|maximum|minimum)$/.test(words[cues.rankAt]?.stem ?? '')
  )
    return []
  return after.filter((each) => each.at === after[0]?.at)
}

function isGroup({ column }: Mention): boolean {
  return column === undefined || column.kind === 'text' || column.kind === 'year'
}
